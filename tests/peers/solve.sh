#!/usr/bin/env bash
# usage: tests/peers/solve.sh [--jobs 64,512] [--classes 3,8] [--seeds 11,12,13] [--objectives nash,max_min]
# Gives the instances of `souk bench instance` to cvxpy with ECOS and with Clarabel, in turn with `souk bench solve`, and
# prints the processor times side by side. Fails where the answers differ by more than a millionth per job.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

venv=target/peers
if [[ ! -x $venv/bin/python ]]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet 'cvxpy==1.9.3' 'ecos==2.0.14' 'clarabel==0.11.1'
fi
OMP_NUM_THREADS=1 exec "$venv/bin/python" tests/peers/solve.py --souk "${SOUK_BIN:-target/release/souk}" "$@"
