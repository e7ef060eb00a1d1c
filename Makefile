# Everything runs in a local environment, made on first use. PYTHON chooses the interpreter (3.11 or newer).
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test test-all lint docs wheel test-wheel bench bench-tables bench-peers clean

demo: $(VENV)/.installed
	$(BIN)/burnside detect examples/zhang2013/token_circulation.seq
	@echo
	$(BIN)/burnside check examples/classics/filter_lock.seq -D N=7
	@echo
	@echo "$(BIN)/burnside check examples/zhang2013/dining_philosophers.seq -D N=5   (finds a deadlock: exit code 1)"
	@$(BIN)/burnside check examples/zhang2013/dining_philosophers.seq -D N=5; test $$? -eq 1

test: $(VENV)/.installed-test
	$(BIN)/python -m pytest -m "not slow" -n 2 --dist worksteal

test-all: $(VENV)/.installed-test lint
	BURNSIDE_TESTS=all $(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(VENV)/.installed-lint
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/ruff format --check src tests benchmarks docs
	$(BIN)/mypy

# The documentation as a site, in build/site.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# The tests against the built wheel, in an empty environment, where there is no src to import by accident.
wheel: $(VENV)/.installed-lint
	$(BIN)/python -m build --outdir dist

test-wheel: wheel
	rm -rf build/wheel && mkdir -p build/wheel
	$(PYTHON) -m venv build/wheel/.venv
	build/wheel/.venv/bin/python -m pip --disable-pip-version-check --quiet install "$$(ls -t dist/*.whl | head -1)[test]"
	cp -r tests examples benchmarks docs *.md Makefile pyproject.toml mkdocs.yml build/wheel
	cd build/wheel && .venv/bin/python -m pytest -m "not slow" -n 2 --dist worksteal

bench: bench-tables bench-peers

# The published tables; the page of the documentation is made from what they give.
bench-tables: $(VENV)/.installed
	$(BIN)/burnside bench -o benchmarks/results.json
	$(BIN)/python docs/generate.py

# The same protocols in other tools, likewise.
bench-peers: $(VENV)/.installed
	$(BIN)/python -m benchmarks.peers.run -o benchmarks/peers.json
	$(BIN)/python docs/generate.py

# Without a C compiler the one in the ziglang wheel serves.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Burnside needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	if command -v cc >/dev/null || command -v gcc >/dev/null || command -v clang >/dev/null; \
	then $(PIP) install --editable .; else $(PIP) install --editable '.[zig]'; fi
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(PIP) install --editable '.[test]'
	touch $@

$(VENV)/.installed-lint: $(VENV)/.installed
	$(PIP) install --editable '.[lint,test]'
	touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	$(PIP) install --editable '.[docs]'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
