# Strata. `make run` and `make test` do all set-up themselves; see README.md.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
export HF_HUB_OFFLINE := 1

.PHONY: run install test test-slow check bench-smoke clean

run: install ## open the app on 127.0.0.1:8501 over the demo library
	$(BIN)/strata run

install: .venv/.installed ## prepare .venv with what the app needs

.venv/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Strata needs Python 3.11 or newer; set PYTHON=…")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --editable '.[media]'
	touch $@

.venv/.installed-dev: .venv/.installed
	$(PIP) --editable '.[media,scale,train,dev]'
	touch $@

test: .venv/.installed-dev ## run the test suite
	$(BIN)/python -m pytest

test-slow: .venv/.installed-dev ## the long tests: many crashes, many faulty runs
	$(BIN)/python -m pytest -m slow --timeout 1800

check: .venv/.installed-dev ## format, lint, types, architecture, tests
	$(BIN)/ruff format --check core pages tests bench examples app.py
	$(BIN)/ruff check core pages tests bench examples app.py
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

bench-smoke: .venv/.installed-dev ## start-up, ingestion, question latency and memory on the demo library
	$(BIN)/python -m bench.smoke

clean: ## remove the environment and the caches, not the library
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache
