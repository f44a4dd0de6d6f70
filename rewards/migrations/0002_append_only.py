"""The ledger is append-only, and the database itself says so: own SQL for PostgreSQL and SQLite."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

APPEND_ONLY = ("rewards_transaction", "rewards_ledgerentry")

# An error of class 23, so that Django raises IntegrityError, as it does for SQLite's RAISE.
POSTGRESQL_FUNCTIONS = {
    "rewards_refuse_change": """
        BEGIN
            RAISE EXCEPTION 'The ledger is append-only: % of % is refused. Post a reversal instead.',
                TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
        END
    """,
    "rewards_refuse_redefinition": """
        BEGIN
            RAISE EXCEPTION 'Amounts lie here: the unit of a pool and the owner of an account never change.'
                USING ERRCODE = 'integrity_constraint_violation';
        END
    """,
    "rewards_check_pool_of_line": """
        BEGIN
            IF NEW.pool_id <> (SELECT pool_id FROM rewards_account WHERE id = NEW.account_id) THEN
                RAISE EXCEPTION 'A line of the ledger lies in the pool of its account.'
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END
    """,
    "rewards_check_balance": """
        DECLARE
            checked bigint;
        BEGIN
            IF TG_TABLE_NAME = 'rewards_transaction' THEN
                checked := NEW.id;
            ELSE
                checked := NEW.transaction_id;
            END IF;
            IF (SELECT count(*) FROM rewards_ledgerentry WHERE transaction_id = checked) < 2 THEN
                RAISE EXCEPTION 'Transaction % of the ledger has fewer than two lines.', checked
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            IF EXISTS (
                SELECT FROM rewards_ledgerentry WHERE transaction_id = checked
                GROUP BY pool_id HAVING sum(amount_steps) <> 0
            ) THEN
                RAISE EXCEPTION 'Transaction % of the ledger does not balance.', checked
                    USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NULL;
        END
    """,
}
# Trigger, its table, the rest of the statement.
POSTGRESQL_TRIGGERS = [
    *(
        (
            f"{table}_refuses_change",
            table,
            f"BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION rewards_refuse_change()",
        )
        for table in APPEND_ONLY
    ),
    *(
        (
            f"{table}_refuses_truncate",
            table,
            f"BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION rewards_refuse_change()",
        )
        for table in APPEND_ONLY
    ),
    *(
        (
            f"{table}_balances",
            table,
            (
                f"AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED "
                "FOR EACH ROW EXECUTE FUNCTION rewards_check_balance()"
            ),
        )
        for table in APPEND_ONLY
    ),
    (
        "rewards_ledgerentry_keeps_to_its_pool",
        "rewards_ledgerentry",
        "BEFORE INSERT ON rewards_ledgerentry FOR EACH ROW EXECUTE FUNCTION rewards_check_pool_of_line()",
    ),
    (
        "rewards_account_keeps_its_owner",
        "rewards_account",
        "BEFORE UPDATE ON rewards_account FOR EACH ROW EXECUTE FUNCTION rewards_refuse_redefinition()",
    ),
    (
        "rewards_pool_keeps_its_unit",
        "rewards_pool",
        (
            "BEFORE UPDATE ON rewards_pool FOR EACH ROW "
            "WHEN ((OLD.unit, OLD.currency, OLD.scale) IS DISTINCT FROM (NEW.unit, NEW.currency, NEW.scale)) "
            "EXECUTE FUNCTION rewards_refuse_redefinition()"
        ),
    ),
]

SQLITE_TRIGGERS = [
    *(
        (
            f"{table}_refuses_{verb.lower()}",
            (
                f"BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, "
                f"'The ledger is append-only: {verb} of {table} is refused. Post a reversal instead.'); END"
            ),
        )
        for table in APPEND_ONLY
        for verb in ("UPDATE", "DELETE")
    ),
    (
        "rewards_ledgerentry_keeps_to_its_pool",
        (
            "BEFORE INSERT ON rewards_ledgerentry "
            "WHEN NEW.pool_id <> (SELECT pool_id FROM rewards_account WHERE id = NEW.account_id) "
            "BEGIN SELECT RAISE(ABORT, 'A line of the ledger lies in the pool of its account.'); END"
        ),
    ),
    (
        "rewards_account_keeps_its_owner",
        (
            "BEFORE UPDATE ON rewards_account BEGIN SELECT RAISE(ABORT, "
            "'Amounts lie here: the unit of a pool and the owner of an account never change.'); END"
        ),
    ),
    (
        "rewards_pool_keeps_its_unit",
        (
            "BEFORE UPDATE ON rewards_pool "
            "WHEN OLD.unit <> NEW.unit OR OLD.currency <> NEW.currency OR OLD.scale <> NEW.scale "
            "BEGIN SELECT RAISE(ABORT, "
            "'Amounts lie here: the unit of a pool and the owner of an account never change.'); END"
        ),
    ),
]


def making(vendor: str) -> list[str]:
    """The statements that make the triggers."""
    if vendor == "sqlite":
        return [f"CREATE TRIGGER {name} {rest}" for name, rest in SQLITE_TRIGGERS]
    functions = [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
        for name, body in POSTGRESQL_FUNCTIONS.items()
    ]
    triggers = [
        f"CREATE {'CONSTRAINT ' if 'DEFERRABLE' in rest else ''}TRIGGER {name} {rest}"
        for name, _, rest in POSTGRESQL_TRIGGERS
    ]
    return functions + triggers


def dropping(vendor: str) -> list[str]:
    """The statements that take them away."""
    if vendor == "sqlite":
        return [f"DROP TRIGGER {name}" for name, _ in SQLITE_TRIGGERS]
    triggers = [f"DROP TRIGGER {name} ON {table}" for name, table, _ in POSTGRESQL_TRIGGERS]
    return triggers + [f"DROP FUNCTION {name}()" for name in POSTGRESQL_FUNCTIONS]


def make(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Put the triggers in place."""
    _run(schema_editor, making)


def drop(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the triggers away."""
    _run(schema_editor, dropping)


def _run(schema_editor, statements) -> None:
    vendor = schema_editor.connection.vendor
    if vendor not in ("postgresql", "sqlite"):
        raise NotImplementedError(f"The ledger has no triggers for {vendor}: use PostgreSQL or SQLite.")
    for statement in statements(vendor):
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("rewards", "0001_initial")]

    operations = [migrations.RunPython(make, drop)]
