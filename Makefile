# Everything a person or a machine does with this project. Needs Python 3.11, 3.12 or 3.13, and make.

# A Python 3.11 of this machine, wherever it is, or else a 3.12 or 3.13; `make PYTHON=/path/to/python3.11 ...` names another.
ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell sh tools/find-python)
endif
ifeq ($(strip $(PYTHON)),)
$(error There is no Python on this machine. The campaign needs Python 3.11, 3.12 or 3.13: "uv python install 3.11", \
"pyenv install 3.11", or on Debian 12 "apt-get install python3.11 python3.11-venv")
endif
SHORT := not prove and not bench and not screenshots
# Which tests: MARKS narrows them, as in MARKS="database and not browser"; WHERE names folders or files.
MARKS ?=
WHERE ?=
CHOSEN := $(SHORT)$(if $(MARKS), and ($(MARKS)))
PORT ?= 8000
DATABASE ?= sqlite
WEEKS ?= 18
SEED ?= 1777

export PATH := $(CURDIR)/.venv/bin:$(PATH)
export PYTHONUNBUFFERED := 1

HOUSE := $(PYTHON) tools/house.py
MANAGE := python manage.py
# Tests use the database DATABASE_URL names; `DATABASE=postgres` starts one for them.
ifeq ($(DATABASE),postgres)
TESTS := python -m tests.servers python -m pytest
else
TESTS := python -m pytest
endif

.DEFAULT_GOAL := help
.PHONY: help install tests-install secret prepare port run play test quick checks prove check format bench screenshots clean

help: ## List the targets, one line each
	@$(HOUSE) targets

install: ## Create .venv and install the exact versions a running site needs
	@$(HOUSE) environment

tests-install: ## The same with what tests and checks need (make test does it)
	@$(HOUSE) tests

secret: ## Write the secret key of this installation, once
	@$(HOUSE) secret

prepare: install secret
	@$(HOUSE) static
	@$(MANAGE) migrate --verbosity 0

port:
	@$(HOUSE) lan port

# For phones at the club: at the address given, and with no demo doors whatever is set elsewhere.
ifneq ($(origin LAN),undefined)
run: export LAN := $(LAN)
run: export AWI_LAN := 1
run: export AWI_DEMO := 0
run: export HTTPS := false
run: export AWI_BIND := $(LAN):$(PORT)
run: export SITE_URL := http://$(LAN):$(PORT)
run: export ALLOWED_HOSTS := $(LAN)
else
run: export AWI_DEMO ?= 1
run: export AWI_BIND ?= 127.0.0.1:$(PORT)
run: export SITE_URL ?= http://127.0.0.1:$(PORT)
endif

run: port prepare ## Set up what is missing, then serve the campaign on http://127.0.0.1:8000 (PORT=, LAN=)
ifeq ($(origin LAN),undefined)
	@$(MANAGE) loadscenario saratoga-1777 --demo
endif
# Whoever waits for the first page waits for one ruleset; the others are compiled when a battle asks for them.
	@$(MANAGE) compileengine --ruleset awi
	@exec $(HOUSE) serve

play: prepare ## Play Saratoga 1777 with bots on both sides and print the returns (WEEKS=, SEED=)
	@$(MANAGE) compileengine
	@$(MANAGE) playcampaign saratoga-1777 --weeks $(WEEKS) --seed $(SEED)

# Both layouts of the engine at once, each on a core of its own.
test: export DJANGO_SETTINGS_MODULE = campaign.config.settings_test
test: tests-install ## Run every test but the long ones of `make prove` (DATABASE=postgres: on PostgreSQL)
	@$(HOUSE) servers
	@$(MANAGE) compileengine --large & large=$$!; $(MANAGE) compileengine && wait $$large
	$(TESTS) -n 2 --dist loadgroup --durations=25 -m "$(CHOSEN)" $(WHERE) $(ARGS)

# Without WHERE nothing is compiled, and a sixth stands for the tests with a database, and for those of battles.
ifeq ($(WHERE),)
quick: export NUMBA_DISABLE_JIT = 1
endif
quick: tests-install ## Run the tests that need no browser, worker or compiler, some of each kind (WHERE=: all there)
	$(TESTS) -n 2 --dist loadgroup $(if $(WHERE),,-p tests.every_sixth) \
		-m "$(CHOSEN) and not slow and not browser" $(WHERE) $(ARGS)

checks: tests-install ## Play the worked checks in the files of a folder (CHECKS=FOLDER)
	@python -m tests.worked_checks "$(CHECKS)"

prove: export DJANGO_SETTINGS_MODULE = campaign.config.settings_test
prove: tests-install ## Run the long versions of what must be shown, figures in one table (PART= runs parts by name)
	@$(HOUSE) servers
	@$(MANAGE) compileengine --large & large=$$!; $(MANAGE) compileengine && wait $$large
	$(TESTS) tests/prove -m prove -n 2 --dist worksteal $(if $(PART),-k "$(PART)") $(ARGS)

bench: tests-install ## Measure engine, campaign and pages and print the figures (also var/bench*.json)
	@AWI_ENGINE_STEPS=0 DJANGO_SETTINGS_MODULE=campaign.config.settings_test \
		$(MANAGE) benchengine --json var/bench.json
	@DJANGO_SETTINGS_MODULE=campaign.config.settings_test $(MANAGE) compileengine
	$(TESTS) -m bench -s $(ARGS)

screenshots: tests-install ## Photograph the pages at 1280 and 390 px into var/screenshots
	@$(HOUSE) servers
	$(TESTS) -m screenshots $(ARGS)

check: export DJANGO_SETTINGS_MODULE = campaign.config.settings_test
check: tests-install ## Check style, types, import contracts, settings and migrations
	ruff check .
	ruff format --check .
	mypy
	lint-imports
	$(MANAGE) check
	SECRET_KEY=$$($(PYTHON) -c "import secrets; print(secrets.token_urlsafe(64))") \
		DJANGO_SETTINGS_MODULE=campaign.config.settings ALLOWED_HOSTS=campaign.example.org \
		$(MANAGE) check --deploy --fail-level WARNING
	$(MANAGE) makemigrations --check --dry-run

format: tests-install ## Put the code in the project's style
	ruff check --fix .
	ruff format .

clean: ## Remove what can be made again (the database and the secret key stay)
	rm -rf .venv staticfiles .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
