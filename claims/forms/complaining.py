"""What the forms share: the complaint stands beside its field, and the cursor in the first such field."""

from typing import Any

from django import forms

from portal.common.errors import DomainError


class ComplainingForm(forms.Form):
    """A form that says field by field what is wrong with it."""

    def add_error(self, field: str | None, error: Any) -> None:
        """As Django does it; whoever gets the page begins where the first complaint is."""
        super().add_error(field, error)
        wrong = [entry for name, entry in self.fields.items() if name in self.errors]
        for entry in wrong:
            entry.widget.attrs.pop("autofocus", None)
        if wrong:
            wrong[0].widget.attrs["autofocus"] = True

    def refuse(self, error: DomainError, field: str | None = None) -> None:
        """What an operation would not do with it; of the field that the error is about, if it knows."""
        named = str(error.extra.get("field", field))
        self.add_error(named if named in self.fields else None, str(error.message))

    def list_complaints(self) -> str:
        """Everything that is wrong, in one line."""
        return " ".join(
            f"{self.fields[name].label}: {' '.join(map(str, found))}"
            if name in self.fields
            else " ".join(map(str, found))
            for name, found in self.errors.items()
        )

    @property
    def switches(self) -> list[forms.BoundField]:
        """The fields to tick."""
        return [field for field in self if isinstance(field.field, forms.BooleanField)]

    @property
    def entries(self) -> list[forms.BoundField]:
        """The fields to fill in or choose from."""
        return [field for field in self if not isinstance(field.field, forms.BooleanField)]
