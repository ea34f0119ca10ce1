# Two commands matter: `make demo` shows everything on sample data, `make test` proves it.
# SERVE=0 lets the demo end instead of serving the site.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SERVE ?= 1
PORT ?= 8000
# Set to --require-all to fail where a database, broker or browser is missing instead of saying so.
REQUIRE ?=

.PHONY: demo setup setup-dev test test-long test-browser test-faults bench lint

demo: setup
	$(BIN)/python manage.py demo --serve $(SERVE) --port $(PORT)

setup: $(VENV)/installed

setup-dev: $(VENV)/installed-dev

# Compiled at once, so that no command compiles 2,000 files at each start. uv installs in a tenth of pip's time; where it cannot be had, pip does the same work.
$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Tiebreak needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv || echo "uv is not to be had; installing with pip"

INSTALL = if [ -x $(BIN)/uv ]; then VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python -r $(1); else $(BIN)/python -m pip install --quiet --disable-pip-version-check -r $(1); fi

$(VENV)/installed: requirements.txt | $(VENV)/bin/python
	@$(call INSTALL,requirements.txt)
	@touch $@

$(VENV)/installed-dev: requirements-dev.txt $(VENV)/installed
	@$(call INSTALL,requirements-dev.txt)
	@touch $@

test: setup setup-dev
	$(BIN)/python -m tests.tiers fast $(REQUIRE)

test-long: setup setup-dev
	$(BIN)/python -m tests.tiers long $(REQUIRE)

test-browser: setup setup-dev
	$(BIN)/python -m tests.tiers browser $(REQUIRE)

test-faults: setup setup-dev
	$(BIN)/python -m tests.tiers faults $(REQUIRE)

bench: setup setup-dev
	$(BIN)/python -m benchmarks

lint: setup setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy .
	$(BIN)/python manage.py check
	$(BIN)/python manage.py makemigrations --check --dry-run
