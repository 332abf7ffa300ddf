# The menu of commands; every target prepares the virtual environment first when it must.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALLED := $(VENV)/installed
PEERS := $(VENV)/peers-installed
SITE_TOOLS := $(VENV)/site-tools-installed
CHECKED := python dialects passes tests examples benchmarks docs/site
# An editable installation knows the folders of modules that there were when it was made.
PACKAGES := $(shell find python dialects passes -name __init__.py)

# Tests start many processes: compiling the package to byte code once is enough.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install assembler demo test lint format types stub docs filecheck unit thorough pairs growth firing structure fuzz bench results gate wheel clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(INSTALLED) ## create .venv, build the C runtime, install the package and the developer tools

$(INSTALLED): pyproject.toml CMakeLists.txt $(wildcard runtime/*.c runtime/*.h) $(PACKAGES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tapeless needs Python 3.11 or newer; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@

assembler: $(INSTALLED) ## install ptxas, with which tests assemble kernels for GPUs
	$(PIP_INSTALL) --editable '.[dev,cuda,assembler]'

demo: $(INSTALLED) ## the gradient of a time loop beside one by hand: time and memory
	$(BIN)/python examples/demo.py

# mypy keeps one core busy; the unit tests keep all of them.
test: $(INSTALLED) ## lint, types, FileCheck tests, unit tests
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target lint types filecheck
	@$(MAKE) --no-print-directory unit

lint: $(INSTALLED) ## ruff: rules and formatting
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)

format: $(INSTALLED) ## let ruff reformat and fix what it can
	$(BIN)/ruff check --fix $(CHECKED)
	$(BIN)/ruff format $(CHECKED)

# The package is put together from three folders; mypy sees it as one through links.
types: $(INSTALLED) ## mypy over the whole package
	@rm -rf build/types && mkdir -p build/types/tapeless
	@ln -s $(CURDIR)/python/tapeless/* $(CURDIR)/dialects $(CURDIR)/passes build/types/tapeless/
	cd build/types && $(CURDIR)/$(BIN)/mypy --config-file $(CURDIR)/pyproject.toml --cache-dir $(CURDIR)/.mypy_cache -p tapeless

stub: $(INSTALLED) ## write what type checkers see of the package (python/tapeless/__init__.pyi)
	$(BIN)/python tests/stub.py

docs: $(SITE_TOOLS) ## the manual as a site that opens without a server: build/site/index.html
	$(BIN)/python docs/site/build.py

$(SITE_TOOLS): $(INSTALLED)
	$(PIP_INSTALL) --editable '.[dev,docs]'
	@touch $@

filecheck: $(INSTALLED) ## FileCheck tests of dialects and passes
	$(BIN)/lit --verbose tests/filecheck

# Neighbours stay together (worksteal), because they often compile the same functions.
unit: $(INSTALLED) ## unit tests, programs and properties
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

# The tests that `make test` leaves out as too long, and those that it runs without LLVM's optimisation, with it.
# After SECONDS=, no more of them are begun.
thorough: $(INSTALLED) ## the longer tests, and more of them with the code as shipped (SECONDS=)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal --optimised -m 'thorough or unoptimised or drawn' $(if $(SECONDS),--seconds $(SECONDS))

# Seeds follow one another from SEED, so SEED=7 COUNT=1 is one program; REPLAY=file checks a program with a fault again.
pairs: $(INSTALLED) ## every producer of arrays with every consumer, in every form (half an hour on two cores, or SECONDS=)
	TAPELESS_PAIRS=all $(BIN)/python -m pytest --numprocesses auto --dist worksteal tests/pairs $(if $(SECONDS),--seconds $(SECONDS))

growth: $(INSTALLED) ## compile time of programs with up to 400 statements (FAMILIES='"row writes" loops')
	$(BIN)/python tests/unit/growth/walk.py $(FAMILIES)

firing: $(INSTALLED) ## which pass changes how many programs: docs/firing.md (half an hour on two cores; PROCESSES=16, ONLY=kalman prints)
	cd tests && PYTHONPATH=.:../benchmarks $(CURDIR)/$(BIN)/python -m firing $(if $(PROCESSES),--processes $(PROCESSES)) $(if $(ONLY),--only '$(ONLY)',--output ../docs/firing.md)

structure: $(INSTALLED) ## files per folder and lines per file, the largest ones, and the figures of the passes
	@$(BIN)/python tests/structure.py
	@PYTHONPATH=tests $(BIN)/python -m figures

fuzz: $(INSTALLED) ## random programs against references (FAMILY= METHOD= TARGET= SECONDS= SEED= COUNT= PROCESSES= REPLAY=)
	@PYTHONPATH=tests $(BIN)/python -m fuzz $(if $(FAMILY),--family $(FAMILY)) $(if $(METHOD),--method $(METHOD)) $(if $(TARGET),--target $(TARGET)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(COUNT),--count $(COUNT)) $(if $(PROCESSES),--processes $(PROCESSES)) $(if $(REPLAY),--replay $(REPLAY))

bench: $(PEERS) ## run all benchmarks beside their peers, and write benchmarks/results/report.html (ONLY=primal, ONLY='untuned:*kalman*', MINUTES=60)
	@cd benchmarks && $(CURDIR)/$(BIN)/python -m suite $(if $(ONLY),--only '$(ONLY)') $(if $(MINUTES),--minutes $(MINUTES))

results: $(INSTALLED) ## pages of the manual from benchmarks/measured, with what make bench has found here
	@cd benchmarks && $(CURDIR)/$(BIN)/python -m report.manual

# Rows that are measured without JAX and PyTorch, told in fixed work of C, Python and LLVM (docs/gate.md).
gate: $(INSTALLED) ## small rows: are run times and compile times what they were? (RECORD=1 writes them, RECORD=1 WIDEN=1 adds a sitting)
	@cd benchmarks && $(CURDIR)/$(BIN)/python -m gate $(if $(RECORD),--record) $(if $(WIDEN),--widen) $(if $(JSON),--json $(abspath $(JSON)))

$(PEERS): $(INSTALLED)
	$(PIP_INSTALL) --editable '.[dev,jax]'
	@touch $@

wheel: $(INSTALLED) ## build wheels of the package and of its runtime alone into dist/
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist . ./runtime/distribution

clean: ## remove everything that was built
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
