# Everything starts here: `make help`. Each target sets up what it needs.

PYTHON ?= python3
PORT   ?= 8000
LIFE   ?=
JOBS   ?= 2
ARGS   ?=

VENV := .venv
BIN  := $(VENV)/bin
RUN  := $(BIN)/python

.DEFAULT_GOAL := help
.PHONY: help setup demo life run smoke test bench screenshots lint format messages lock runtime clean

help: ## What can be done here
	@echo "Regatta. Targets:"
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)$$/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'
	@echo "Variables: PORT=8001 (demo, life, run), LIFE=1 (demo), ARGS='tests/claims -k release' (test, bench, screenshots), JOBS=4 (test), PYTHON=python3.12 (setup)"

# $(call install,LOCK): a virtual environment with exactly what the lock names; instant when nothing changed.
define install
	@if ! cmp -s $(1) $(VENV)/installed.lock; then \
	  command -v $(PYTHON) >/dev/null 2>&1 || { \
	    echo "$(PYTHON) was not found: install Python 3.11 or newer, or name it: make PYTHON=/path/to/python3.11" >&2; exit 1; }; \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "Regatta needs Python 3.11 or newer and $(PYTHON) is older: name another, as in make PYTHON=python3.11" >&2; exit 1; }; \
	  test -x $(RUN) || $(PYTHON) -m venv $(VENV) || { \
	    echo "$(PYTHON) -m venv failed: install its venv module (Debian: apt-get install python3-venv)" >&2; exit 1; }; \
	  echo "Installing $(1) into $(VENV)."; \
	  $(RUN) -m pip install --quiet --quiet --disable-pip-version-check --no-input --require-hashes -r $(1) || { \
	    echo "pip could not install $(1); its own message is above." >&2; exit 1; }; \
	  cp $(1) $(VENV)/installed.lock; \
	fi
endef

setup: ## Make .venv with everything for development (instant when nothing changed)
	$(call install,requirements-dev.lock)

# The demo needs only what runs; a development environment holds that too.
runtime:
	@cmp -s requirements-dev.lock $(VENV)/installed.lock || $(MAKE) --no-print-directory runtime-only
.PHONY: runtime-only
runtime-only:
	$(call install,requirements.lock)

# Asked for both at once (make -j), one waits for the other.
ifneq (,$(filter setup smoke test bench screenshots lint format messages api-schema lock,$(MAKECMDGOALS)))
runtime: setup
endif

demo: runtime ## The portal with an invented GitHub beside it, on 127.0.0.1 (PORT=8000, LIFE=1 for some life)
	@exec $(RUN) -m tests.demo --port $(PORT) $(if $(LIFE),--life)

life: runtime ## Some life in the running demo's three events: comments, proposals, code, reviews, merges
	@exec $(RUN) -m tests.demo.life --port $(PORT)

run: runtime ## The portal against the real GitHub (docs/running.md says which variables it reads)
	@exec $(RUN) -m tests.demo.local --port $(PORT)

smoke: runtime ## Play the whole story over HTTP on free ports; fails on any lie
	@exec $(RUN) -m tests.smoke

test: setup ## The test suite, with PostgreSQL and Redis of its own (ARGS=…)
	@exec $(RUN) -m tests.services --suite -- $(RUN) -m pytest -n $(JOBS) --dist worksteal $(ARGS)

bench: setup ## How fast it is: a table, and bench/results.json (production settings, PostgreSQL and Redis of its own)
	@exec $(RUN) -m tests.services -- $(RUN) -m bench $(ARGS)

screenshots: setup ## Draw docs/screenshots anew with the system's Chromium (ARGS='--only board')
	@exec $(RUN) -m tests.screenshots $(ARGS)

lint: style types contracts templates-lint migrations-lint deployment house ## Style, types, import contracts, templates, migrations, production checks, house rules

.PHONY: style types contracts templates-lint migrations-lint deployment house
style: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
types: setup
	$(BIN)/mypy
contracts: setup
	$(BIN)/lint-imports --no-logo
templates-lint: setup
	$(BIN)/djlint templates --lint --quiet
migrations-lint: setup
	@mkdir -p var
	DJANGO_SETTINGS_MODULE=portal.settings.test $(RUN) manage.py makemigrations --check --dry-run
deployment: setup
	$(RUN) -m tests.house.production
house: setup
	$(RUN) -m tests.house
	$(RUN) -m tests.house.translate --check

format: setup ## Sort imports, format code, repair what ruff can repair
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

messages: setup ## Collect the texts for translation and compile the translations (needs gettext)
	$(RUN) -m tests.house.translate

.PHONY: api-schema
api-schema: setup ## Write docs/api/openapi.yaml from the code; a test compares the two
	DJANGO_SETTINGS_MODULE=portal.settings.test $(RUN) manage.py spectacular --validate --fail-on-warn --file docs/api/openapi.yaml

lock: setup ## Pin the dependencies of pyproject.toml anew, keeping pins that still fit
	$(BIN)/uv pip compile pyproject.toml --quiet --generate-hashes --no-header -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --quiet --group dev --generate-hashes --no-header -o requirements-dev.lock

clean: ## Remove what the targets made (not .venv)
	rm -rf var staticfiles .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
