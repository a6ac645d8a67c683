# All that a machine must have is make and Python 3.11 or newer with pip; the rest goes into .venv, pinned by hash.
#   make run PYTHON=/path/to/python3.11    another Python
#   make test PYTEST_ARGS="tests/house -x" a part of the tests
#   make lock LOCK_ARGS=--upgrade          newer versions of everything

PYTHON ?=
PYTEST_ARGS ?=
LOCK_ARGS ?=
PORT ?= 8000

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input
COMPILE := pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(LOCK_ARGS)

.DEFAULT_GOAL := help
.PHONY: help install run serve test lint format lock clean

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

install: $(VENV)/.installed ## set up .venv with the locked dependencies and this checkout

run: install ## judge the examples; the reports appear under reports/
	@$(BIN)/python tools/run_examples.py

serve: install ## start the web page and the interface for programs on port 8000
	$(BIN)/homolog serve --port $(PORT)

test: install ## run all tests
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: install ## check style, types and the rooms
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: install ## bring the code into its form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# The second lock is bound to the first, so that tests run on the versions that are shipped.
lock: $(VENV)/.lock-tool ## write the lock files anew from pyproject.toml
	$(VENV)/lock-tool/bin/uv $(COMPILE) --output-file requirements.lock
	$(VENV)/lock-tool/bin/uv $(COMPILE) --extra dev --constraint requirements.lock --output-file requirements-dev.lock

clean: ## remove all that was made, .venv too
	rm -rf $(VENV) build dist reports htmlcov .coverage .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Three stamps, so that an edit of pyproject.toml does not bring everything in again.
$(VENV)/.made:
	@python=$$(tools/find_python.sh $(PYTHON)) && rm -rf $(VENV) && "$$python" -m venv $(VENV) && touch $@

$(VENV)/.locked: requirements-dev.lock $(VENV)/.made
	@echo "Installing the locked dependencies into $(VENV) (once, about a minute)."
	@$(PIP) install --require-hashes -r requirements-dev.lock && touch $@

$(VENV)/.installed: pyproject.toml $(VENV)/.locked
	@$(PIP) install --no-deps --no-build-isolation -e . && touch $@

$(VENV)/.lock-tool: $(VENV)/.made
	@$(BIN)/python -m venv $(VENV)/lock-tool
	@$(VENV)/lock-tool/bin/python -m pip -qq --disable-pip-version-check install uv && touch $@
