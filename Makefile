# Every target sets up what it needs; a machine with Python 3.11+ and make is enough.
# `make demo`, `make play` and `make serve` install requirements.lock, the rest requirements-dev.lock.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo play serve setup clients test ci check bench fmt lock pyz openapi clean

# The first of these that is 3.11 or newer and can make environments.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	if $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	>/dev/null 2>&1; then echo $$p; break; fi; done)
VENV := .venv/bin

# The seed goes to the demo through the environment, unexpanded: whatever it holds, neither make
# nor a shell reads it. `$(value ...)` is what the player typed.
ifneq ($(origin SEED),undefined)
export FAIRDEAL_SEED := $(value SEED)
unexport SEED
endif

PORT ?= 8000
PLAY ?=

# The tests' worker processes, and what pytest gets on top: make test TESTS=tests/api
WORKERS ?= auto
TESTS ?=
PYTEST = $(VENV)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist worksteal $(TESTS)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/.stamp-run ## play a whole game against bots and prove it fair (SEED="any text")
	@$(VENV)/fairdeal demo

play: .venv/.stamp-run ## play a game in this terminal against bots (PLAY="--hands 1")
	@$(VENV)/fairdeal play $(PLAY)

serve: .venv/.stamp-run ## start the service on this machine (PORT=8000)
	@$(VENV)/fairdeal serve --port $(PORT)

setup: .venv/.stamp-dev ## make .venv with everything for development

clients: .venv/.stamp-dev ## make what generates clients in tests: .venv-clients, and npm's modules
	@$(VENV)/python -m scripts.clients

test: clients ## run all tests; the last line names the suites that could not run
	@$(PYTEST)

ci: check clients ## what must pass before a change lands: all checks, all tests, no suite left out
	@FAIRDEAL_ALL_SUITES=1 $(PYTEST)

check: .venv/.stamp-dev ## format, lint, types, borders, dependencies, spelling
	$(VENV)/ruff format --check .
	$(VENV)/ruff check .
	$(VENV)/mypy
	$(VENV)/lint-imports
	$(VENV)/deptry .
	$(VENV)/codespell
	$(VENV)/python scripts/check_locks.py

bench: .venv/.stamp-dev ## print the orders of magnitude
	@$(VENV)/python -m benchmarks

fmt: .venv/.stamp-dev ## format, and repair what ruff can
	$(VENV)/ruff format .
	$(VENV)/ruff check --fix .

lock: .venv/.stamp-dev ## renew the locks within the ranges of pyproject.toml
	$(VENV)/python scripts/lock.py

pyz: ## build the verifier as one file: dist/fairdeal-verify.pyz
	@$(PYTHON) scripts/build_pyz.py dist/fairdeal-verify.pyz

openapi: .venv/.stamp-dev ## write docs/openapi.json and its examples from the code
	$(VENV)/python -m tests.api.examples api/examples.json
	$(VENV)/python -m scripts.write_openapi docs/openapi.json

clean: ## remove what the targets made
	rm -rf .venv .venv-clients tests/clients/typescript/node_modules dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.stamp-run: requirements.lock pyproject.toml scripts/environment.py
	@$(if $(PYTHON),,$(error Python 3.11 or newer with its venv module is needed))
	@echo "setting up .venv (once)"
	@$(PYTHON) scripts/environment.py run

.venv/.stamp-dev: requirements-dev.lock pyproject.toml scripts/environment.py
	@$(if $(PYTHON),,$(error Python 3.11 or newer with its venv module is needed))
	@echo "setting up .venv for development (once)"
	@$(PYTHON) scripts/environment.py dev
