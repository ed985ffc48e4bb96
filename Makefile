# Two commands matter: `make extract` and `make test`. Each makes .venv first, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SAMPLE := samples/sample.warc.gz
OUT := out/sample
PAGES ?=
WARC ?= $(SAMPLE)

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: extract test test-flink test-prism browser check docs lock bench bench-crawl clean

# A run over the same input and output resumes, so the second time finds its rows done and says so.
extract: $(VENV)/.installed
	$(BIN)/python -m pipelines.extract --input $(SAMPLE) --output $(OUT)
	@echo "The rows: $(OUT)/pages/*.parquet   failures: $(OUT)/failures/*.parquet   the reckoning: $(OUT)/_report.json"

test: $(VENV)/.installed browser
	$(BIN)/python -m pytest --cov --cov-report=term

# The tests of the evaluation's report look at it in Chromium: the machine's, or Debian's package (as root), or playwright's own.
browser: $(VENV)/.installed
	@$(BIN)/python -m tests.evaluation.browser 2>/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || \
	  $(BIN)/python -m playwright install --only-shell chromium

# A Flink cluster on this machine, whose parts are killed one by one: needs Java and Maven, and fetches 400 MB once.
test-flink: $(VENV)/.installed
	$(BIN)/python -m deploy.flink.install
	$(BIN)/python -m pytest -m flink -o log_cli=true --log-cli-level=WARNING tests/engines

# The same rows from Beam's portable runner: needs Go, and builds Prism once.
test-prism: $(VENV)/.installed
	$(BIN)/python -m pytest -m prism tests/engines

check: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m danubia_core.rules.describe --check
	$(BIN)/python -m danubia_core.serializers.describe --check
	$(BIN)/python -m danubia_core.describe_page_types --check
	$(BIN)/python -m schemas.describe --check
	$(BIN)/python -m schemas.node_tree --check
	$(BIN)/python samples/write_warc.py --check
	$(BIN)/python -m evaluation corpus
	$(BIN)/python -m evaluation gate

# Write anew what `check` only compares.
docs: $(VENV)/.installed
	$(BIN)/python -m danubia_core.rules.describe
	$(BIN)/python -m danubia_core.serializers.describe
	$(BIN)/python -m danubia_core.describe_page_types
	$(BIN)/python -m schemas.describe
	$(BIN)/python -m schemas.node_tree
	$(BIN)/python samples/write_warc.py

# PAGES=FOLDER measures over any folder of .html files. Peers count when installed: .venv/bin/pip install -e '.[bench]'
bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks.speed $(PAGES)

# The whole job over a crawl: speed beside the bare extractor's, peak memory, rows read by three programs. WARC=FILE
bench-crawl: $(VENV)/.installed
	$(BIN)/python -m benchmarks.crawl $(WARC)

# One lock for every platform and every Python from 3.11 on: run-time packages, the tools of `dev`, the build back end, what the
# evaluation needs, and the peers that its tests run.
lock: $(VENV)/.installed
	$(BIN)/uv pip compile pyproject.toml --group dev --extra evaluation --extra peers \
	  --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --custom-compile-command "make lock" --upgrade --quiet \
	  --output-file requirements.lock

clean:
	rm -rf $(VENV) out build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The lock is whole, so nothing is resolved: older pips fail on packages that spell one extra in two ways.
# The stamps say what was installed from what: nothing is fetched again until the lock or pyproject.toml changes.
$(VENV)/.locked: requirements.lock tests/tei_schema.lock
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Danubia needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements.lock
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps --no-build-isolation --upgrade \
	  --target $(VENV)/tei -r tests/tei_schema.lock
	touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@
