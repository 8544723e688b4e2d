"""The same instances for souk and for two solvers behind cvxpy: processor time, and whether they agree.

Of the peers two times are told: the whole call of `solve` (cvxpy's own work included, once its problem is built) and what
the solver itself reports. The ratio is against the faster peer of each kind.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import time

import cvxpy
import numpy

PEERS = {
    "ecos": (cvxpy.ECOS, {"abstol": 1e-9, "reltol": 1e-9, "feastol": 1e-9}),
    "clarabel": (cvxpy.CLARABEL, {"tol_gap_abs": 1e-9, "tol_gap_rel": 1e-9, "tol_feas": 1e-9}),
}
REPEATS = 3


def souk(binary, command, objective, jobs, classes, seed, *more):
    call = [binary, "bench", command, "--objective", objective, "--jobs", jobs, "--classes", classes, "--seed", seed]
    answer = subprocess.run([str(part) for part in [*call, *more]], capture_output=True, text=True, check=True)
    return json.loads(answer.stdout.strip().splitlines()[-1])


def problem(instance):
    speed, gang, capacity = (numpy.array(instance[name]) for name in ("speed", "gang", "capacity"))
    x = cvxpy.Variable(speed.shape, nonneg=True)
    rates = cvxpy.sum(cvxpy.multiply(speed, x), axis=1)
    limits = [gang @ x <= capacity, cvxpy.sum(x, axis=1) <= 1]
    if instance["objective"] == "nash":
        goal = numpy.array(instance["weight"]) @ cvxpy.log(rates)
    else:
        goal = cvxpy.min(rates)
    return cvxpy.Problem(cvxpy.Maximize(goal), limits)


def timed(instance, peer):
    """The whole call's and the solver's own milliseconds, and the value; None where it gives up."""
    solver, options = PEERS[peer]
    asked = problem(instance)
    begun = time.process_time()
    try:
        value = asked.solve(solver=solver, **options)
    except cvxpy.error.SolverError:
        return None
    whole = (time.process_time() - begun) * 1e3
    if value is None or not math.isfinite(value):
        return None
    return whole, (asked.solver_stats.solve_time or math.nan) * 1e3, value


def cell(binary, objective, jobs, classes, seed):
    instance = souk(binary, "instance", objective, jobs, classes, seed)
    own, values, runs = [], [], {peer: [] for peer in PEERS}
    for _ in range(REPEATS):
        answer = souk(binary, "solve", objective, jobs, classes, seed, "--json")
        own.append(answer["cpu_ms"])
        for peer in PEERS:
            run = timed(instance, peer)
            if run is not None:
                runs[peer].append(run[:2])
                values.append(run[2])
    mine = statistics.median(own)
    medians = {peer: [statistics.median(column) for column in zip(*taken)] for peer, taken in runs.items() if taken}
    best = [min(median[kind] for median in medians.values()) for kind in (0, 1)]
    per_job = jobs if objective == "nash" else answer["objective"]
    apart = min(abs(value - answer["objective"]) / per_job for value in values)
    agree = answer["certified"] and apart <= 1e-6
    told = "  ".join(f"{peer} {whole:8.1f} {inside:8.1f}" for peer, (whole, inside) in medians.items())
    print(
        f"{objective:8} {jobs:5} x {classes}  seed {seed:3}  souk {mine:8.3f}  {told}  "
        f"ratio {best[0] / mine:7.1f} {best[1] / mine:6.1f}  apart {apart:.0e}{'' if agree else '  DIFFERS'}",
        flush=True,
    )
    return agree


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--souk", required=True)
    words.add_argument("--objectives", default="nash,max_min")
    words.add_argument("--jobs", default="64,512")
    words.add_argument("--classes", default="3,8")
    words.add_argument("--seeds", default="11,12,13,14,15")
    said = words.parse_args()
    print("milliseconds of processor time; of peers: the whole call, and the solver alone; ratios against the faster peer")
    agree = [
        cell(said.souk, objective, int(jobs), int(classes), int(seed))
        for objective in said.objectives.split(",")
        for jobs in said.jobs.split(",")
        for classes in said.classes.split(",")
        for seed in said.seeds.split(",")
    ]
    sys.exit(0 if all(agree) else 1)


if __name__ == "__main__":
    main()
