# Everything here needs only git, make and Python 3.9 or newer; `make help` lists the targets.
# Paths are relative and quoted, so the checkout may lie in a folder with spaces and Chinese characters.

VENV   ?= .venv
PYTHON ?=
PY     := $(VENV)/bin/python
JOBS   ?= auto
PYTEST := "$(PY)" -m pytest -n $(JOBS) --dist worksteal
CODE   := novel_hooks tools tests

export PYTHONUTF8 = 1

.DEFAULT_GOAL := help
.PHONY: help runtime setup clients demo test test-exhaustive test-fast test-portable lint format mutants soak bench golden pages errors manifest lock clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1|/p' Makefile | awk -F'|' '{ printf "make %-15s %s\n", $$1, $$2 }'

runtime:  ## .venv with what novel needs to run
	@sh scripts/setup-dev.sh runtime "$(VENV)" "$(PYTHON)"

setup:  ## .venv with what tests and linters need too
	@sh scripts/setup-dev.sh dev "$(VENV)" "$(PYTHON)"

clients: setup  ## the Claude Code and Codex that tests drive, into .tools/ (needs npm)
	@"$(PY)" -m tools.clients

demo: runtime  ## write three chapters of the sample novel into demo-novel/
	@bin/novel demo demo-novel

test: setup clients  ## all tests; without npm, those with the real client are skipped
	$(PYTEST) -m "not exhaustive"

test-exhaustive: setup  ## every kill point of every command, many examples of each property: tens of minutes
	$(PYTEST) --hypothesis-profile many -m "exhaustive or hypothesis"

test-fast: setup  ## a small share of everything that needs neither the network nor another program
	$(PYTEST) --hypothesis-profile fast -m "not slow and not client and not exhaustive"

test-portable: setup  ## what depends on the Python, and every command once
	$(PYTEST) --hypothesis-profile fast -m "portable and not slow and not client and not exhaustive"

lint: setup  ## ruff, mypy, the layers, the names, the shell scripts
	"$(PY)" -m ruff check $(CODE)
	"$(PY)" -m ruff format --check $(CODE)
	"$(PY)" -m mypy
	"$(VENV)/bin/lint-imports" --no-cache
	"$(PY)" -m tools.check_names
	"$(VENV)/bin/shellcheck" -x bin/novel hooks/guard hooks/notice scripts/*.sh .ci/run

format: setup  ## let ruff put the code in order
	"$(PY)" -m ruff check --fix $(CODE)
	"$(PY)" -m ruff format $(CODE)

mutants:  ## which changes of the code no test notices; ONLY=rules/text for one room
	@sh scripts/setup-dev.sh mutants .venv-mutants "$(PYTHON)"
	@TESTS="$(TESTS)" .venv-mutants/bin/python -m tools.mutants $(foreach room,$(ONLY),'$(room)')

soak: setup  ## a book of 300 chapters with kills, edits and going back; ARGS="--chapters 60 --seed 7"
	@"$(PY)" -m tools.soak $(ARGS)

bench: setup  ## time the everyday commands beside a bare interpreter
	@"$(PY)" -m tools.bench

golden: setup  ## rewrite the golden files; review them before committing
	NOVEL_GOLDEN=write $(PYTEST) tests/golden

pages: setup  ## what the pages show of a terminal and the report, from a fresh demo
	@"$(PY)" -m tools.shown

errors: setup  ## docs/errors.md from the code
	@"$(PY)" -m tools.gen_errors

manifest: setup  ## plugin.json, marketplace.json and the icon from the code
	@"$(PY)" -m tools.gen_manifest
	@"$(PY)" -m tools.gen_icon

lock: setup  ## pin the requirements anew (needs uv on PATH and the network)
	@"$(PY)" -m tools.gen_lock

clean:  ## remove environments, caches and the demo
	rm -rf .venv .venv-* .venv.tmp-* .venv-*.tmp-* demo-novel build dist mutants .tools
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
