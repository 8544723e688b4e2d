# The few commands a person needs. `make` alone lists them; CI runs exactly `make test`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

SOUK_PORT ?= 8080
SOUK_DATA_DIR ?= .souk

# What the web page is made of. Absent folders are fine: the server then has no page and says so.
FRONTEND := $(wildcard frontend/package.json)
FRONTEND_SOURCES := $(shell find frontend -type f -not -path '*/node_modules/*' -not -path '*/dist/*' 2>/dev/null)
PAGE := $(if $(FRONTEND),frontend/dist/index.html)
MODULES := $(if $(FRONTEND),frontend/node_modules/.package-lock.json)

# The page is embedded: the server is built anew when the page is.
BUILD := SOUK_PAGE="$$(cat frontend/dist/index.html 2>/dev/null | cksum)" cargo build --release --locked --bin souk

.PHONY: help run test test-rust test-frontend fmt lint openapi bench fuzz clean

help: ## List these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

run: ## Build everything and serve the market with demo tenants on 127.0.0.1:$SOUK_PORT (8080), data in .souk/
	@.ci/install.sh run
	@$(if $(PAGE),$(MAKE) --no-print-directory $(PAGE))
	$(BUILD)
	SOUK_PORT=$(SOUK_PORT) SOUK_DATA_DIR=$(SOUK_DATA_DIR) exec target/release/souk serve --demo

test: ## Everything CI checks
	@.ci/install.sh test
	cargo fmt --all --check
	@$(MAKE) --no-print-directory test-frontend
	cargo clippy --workspace --all-targets --locked -- -D warnings
	@$(MAKE) --no-print-directory test-rust

test-rust: ## The Rust suites alone; TESTS='-E test(name)' picks some
	@.ci/with-cluster.sh cargo nextest run --workspace --locked --no-fail-fast $(TESTS)

test-frontend: $(PAGE) ## Types, unit tests and build of the web page
ifneq ($(FRONTEND),)
	cd frontend && npm run --if-present generated && npm run --if-present typecheck && npm run --if-present lint && npm run --if-present test
endif

fmt: $(MODULES) ## Format all sources
	cargo fmt --all
ifneq ($(FRONTEND),)
	cd frontend && npm run --if-present format
endif

lint: ## Clippy with the project's bans (see clippy.toml)
	cargo clippy --workspace --all-targets --locked -- -D warnings

openapi: $(MODULES) ## Write openapi/openapi.json from the server's routes, and the types the page uses from that
	cargo run --quiet --locked --bin souk -- openapi > openapi/openapi.json.tmp
	mv openapi/openapi.json.tmp openapi/openapi.json
ifneq ($(FRONTEND),)
	cd frontend && npm run --if-present generate
endif

bench: ## Bids per second over HTTP, next to plain one-row commits into the same PostgreSQL
	@.ci/install.sh run
	$(BUILD)
	target/release/souk bench bids

fuzz: ## At least REQUESTS=2000 random requests made from the API's description, as a tenant and as an operator
	@.ci/install.sh run
	cargo build --locked --bin souk
	tests/schema/fuzz.sh $(or $(REQUESTS),2000)

clean: ## Remove what was built; the market's data in .souk/ stays
	cargo clean
	rm -rf frontend/dist frontend/node_modules

# npm writes this file last, so it is newer than the lock file exactly when the folder is complete.
frontend/node_modules/.package-lock.json: frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund

frontend/dist/index.html: frontend/node_modules/.package-lock.json $(FRONTEND_SOURCES)
	cd frontend && npm run build
	@touch $@
