#!/usr/bin/env bash
# usage: tests/schema/fuzz.sh [REQUESTS]
# Sends random requests made from openapi/openapi.json to a server of its own, as an owner with money, as a provider's owner
# and as an operator, and fails at an answer of 500 or more, or at one that the description does not allow.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

requests=${1:-2000}
port=${SOUK_FUZZ_PORT:-8191}
souk=${SOUK_BIN:-target/debug/souk}
venv=target/schemathesis
work=$(mktemp -d)

if [[ ! -x $venv/bin/schemathesis ]]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet 'schemathesis==4.32.5'
fi

SOUK_PORT=$port SOUK_REQUESTS_PER_MINUTE=1000000 SOUK_LOGINS_PER_MINUTE=1000000 SOUK_SIGN_UP_CREDIT=100 \
    "$souk" serve --data-dir "$work/data" >"$work/server.log" 2>&1 &
server=$!
trap 'kill -INT $server; wait $server || true; rm -rf "$work"' EXIT
base=http://127.0.0.1:$port
for _ in {1..300}; do
    curl -fs "$base/readyz" >/dev/null && break
    sleep 0.2
done

"$venv/bin/python" tests/schema/sign_in.py "$base" "$souk" "$work/data" >"$work/tokens"
read -r tenant operator <"$work/tokens"

# Log-ins are left to the suites: random ones only hash random passwords.
examples=$((requests / 100))
for token in "$tenant" "$operator"; do
    "$venv/bin/schemathesis" run "$base/openapi.json" --url "$base" --header "Authorization: Bearer $token" \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
        --max-examples "$examples" --phases examples,coverage,fuzzing,stateful --continue-on-failure --seed 1 --workers 1
done
if grep -E 'ERROR souk|panicked' "$work/server.log"; then
    echo 'the server reported errors, see above' >&2
    exit 1
fi
