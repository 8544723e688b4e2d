#!/usr/bin/env bash
# usage: with-cluster.sh COMMAND...
# Runs the suites with a throw-away PostgreSQL of their own: the first test that needs it starts it in the folder named
# here, the others find it, and this script removes it whatever happened.
set -euo pipefail

base=/tmp
[[ -d /dev/shm && -w /dev/shm ]] && base=/dev/shm
SOUK_TEST_CLUSTER=$(mktemp -d "$base/souk-test-XXXXXXXX")
export SOUK_TEST_CLUSTER

stop() {
    local data=$SOUK_TEST_CLUSTER/data pid
    if [[ -f $data/postmaster.pid ]]; then
        read -r pid <"$data/postmaster.pid"
        # Only the process that works in this very folder is ours to end.
        if [[ $(readlink "/proc/$pid/cwd") == "$data" ]]; then
            kill -INT "$pid"
            for _ in {1..100}; do
                [[ -e $data/postmaster.pid ]] || break
                sleep 0.1
            done
        fi
    fi
    rm -rf "$SOUK_TEST_CLUSTER"
}
trap stop EXIT

"$@"
