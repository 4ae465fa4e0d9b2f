# Everything a developer runs.  Each target first brings .venv up to date, when pyproject.toml changed or it is missing.
#
#     make demo         examples/: source, transpiled source, graph and program, plain and staged compared
#     make test         the tests; make test-long runs those that take minutes too
#     make lint         ruff and mypy --strict
#     make bench        speed, beside the plain code
#     make docs         the generated pages of docs/

PYTHON ?= python3
MAKEFLAGS += --no-print-directory
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TYPES := $(VENV)/types

.PHONY: demo test test-long lint bench docs clean

demo: $(STAMP)
	@$(BIN)/python examples/demo.py

test: $(STAMP)
	@$(BIN)/python -m pytest -n 2

test-long: $(STAMP)
	@AUTOGRAPH_LONG=1 $(BIN)/python -m pytest -n 2

# runtime/ is installed as autograph.runtime; mypy follows files, so it gets a tree laid out as installed.
lint: $(STAMP)
	@$(BIN)/ruff check .
	@rm -rf $(TYPES) && mkdir -p $(TYPES)/autograph
	@ln -s $(CURDIR)/autograph/* $(TYPES)/autograph/ && ln -s $(CURDIR)/runtime $(TYPES)/autograph/runtime
	@cd $(TYPES) && ../bin/mypy --config-file ../../pyproject.toml --cache-dir ../../.mypy_cache -p autograph

bench: $(STAMP)
	@$(BIN)/python benchmarks/run.py

docs: $(STAMP)
	@$(BIN)/python docs/build.py

clean:
	@rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Some systems ship python3 without ensurepip: then its own pip fills the environment.
$(STAMP): pyproject.toml
	@echo "installing into $(VENV) ..." >&2
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || \
	    { $(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install -qq pip; }
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[dev]'
	@touch $@
