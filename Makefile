# Strata. Every target does its own set-up; `make help` lists them.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
JOBS ?= 3
SOURCES := core pages tests bench examples app.py
export HF_HUB_OFFLINE := 1

# LOCKED=1 installs exactly the files of requirements.lock, each checked by its hash. Torch is then PyPI's build.
LOCKED ?=

# The usual index's torch for Linux brings gigabytes of CUDA. Without a GPU the CPU build is installed first, from
# PyTorch's own index; where that cannot be reached, torch comes from the usual one.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
GPU ?= $(or $(wildcard /proc/driver/nvidia),$(shell command -v nvidia-smi))
CPU_TORCH := $(if $(GPU),,$(filter Linux,$(shell uname -s)))

.DEFAULT_GOAL := help
.PHONY: help run install test test-unit test-slow lint format check lock audit licences messages bench-smoke clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: install ## open the app on 127.0.0.1:8501 over the demo library
	$(BIN)/strata run

install: .venv/.installed ## prepare .venv with what the app needs

.venv/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Strata needs Python 3.11 or newer; set PYTHON=…")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
ifneq ($(LOCKED),)
	$(PIP) --require-hashes --no-deps --requirement requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
else
ifneq ($(CPU_TORCH),)
	$(PIP) --no-deps --retries 1 --timeout 20 --index-url $(TORCH_INDEX) torch 2>/dev/null \
		|| echo "$(TORCH_INDEX) cannot be reached: torch comes from the usual index, with CUDA."
endif
	$(PIP) --editable '.[media]'
endif
	touch $@

.venv/.installed-dev: .venv/.installed
	$(PIP) --editable '.[media,scale,train,dev]'
	touch $@

test: .venv/.installed-dev ## run the test suite, three files at a time (JOBS=3): browsers leave processors idle
	$(BIN)/python -m pytest -n $(JOBS)

test-unit: .venv/.installed-dev ## the tests of rules and values, in seconds
	$(BIN)/python -m pytest -m unit

test-slow: .venv/.installed-dev ## the long tests: many crashes, many faulty runs
	$(BIN)/python -m pytest -m slow --timeout 1800 --hypothesis-profile random

lint: .venv/.installed-dev ## format, lint, types, architecture
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.installed-dev ## format the code and mend what ruff can
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

check: lint test ## everything that must hold before a change goes in: lint and test

lock: ## resolve constraints.txt's versions for every platform into requirements.lock, with hashes
	$(PYTHON) -m venv .venv/lock
	.venv/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	.venv/lock/bin/uv pip compile pyproject.toml --extra media --extra scale --constraint constraints.txt \
		--universal --python-version 3.11 --generate-hashes --quiet --custom-compile-command 'make lock' \
		--output-file requirements.lock

audit: ## look up known vulnerabilities of the installed versions (needs PyPI's advisory data)
	$(PYTHON) -m venv .venv/audit
	.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	.venv/audit/bin/pip-audit --strict --disable-pip --require-hashes --requirement requirements.lock --progress-spinner off

licences: .venv/.installed ## list the installed packages with their licences
	$(PYTHON) -m venv .venv/audit
	.venv/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-licenses
	.venv/audit/bin/pip-licenses --python $(BIN)/python --order name --format markdown --with-urls

MESSAGES := core/i18n/locale
KEYWORDS := -k t:1 -k tn:1,2 -k plain:1 -k plain_n:1,2 -k mark:1

messages: .venv/.installed-dev ## collect the texts of the interface into the catalogue of every language
	mkdir -p build
	$(BIN)/python -m babel.messages.frontend -q extract -F $(MESSAGES)/babel.cfg --no-default-keywords $(KEYWORDS) --no-location -s \
		--project Strata -o build/strata.pot core pages
	$(BIN)/python -m babel.messages.frontend -q update -D strata -i build/strata.pot -d $(MESSAGES) -N -w 100 \
		--ignore-obsolete --ignore-pot-creation-date

bench-smoke: .venv/.installed-dev ## start-up, ingestion, question latency and memory on the demo library
	$(BIN)/python -m bench.smoke

clean: ## remove the environment and the caches, not the library
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache
