//! Gangs on classes of devices, through the market's own plan.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use scheduler::simulation::report::{jobs_csv, rounds_csv};
use scheduler::simulation::summary::Stopwatch;
use scheduler::simulation::traces::{gangs, openb, shockwave, tiresias};
use scheduler::simulation::{
    ClassSize, Cluster, Outcome, Settings, Summary, Workload, bounds, gavel, priority_rounds, run as play,
};
use scheduler::world::SharePolicy;
use serde::Serialize;

use super::{Format, Simulate};
use crate::cli::files;
use crate::clock::{Clock as _, SystemClock};

/// The policy that is re-enacted, not planned.
const PUBLISHED: &str = "max_min_fairness";
/// A ratio beyond this is called unfair.
const UNFAIR: f64 = 1.05;

/// The summary, and what only Shockwave's jobs have.
#[derive(Debug, Serialize)]
struct Told {
    #[serde(flatten)]
    summary: Summary,
    /// Largest ratio of completion time to time alone times the contention if all jobs were there all the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    ftf_static_worst: Option<f64>,
    /// Part of the jobs whose ratio exceeds 1.05.
    #[serde(skip_serializing_if = "Option::is_none")]
    ftf_static_unfair_share: Option<f64>,
}

pub(super) fn run(asked: &Simulate, format: Format, trace: &Path) -> anyhow::Result<()> {
    let cluster = cluster(asked, format)?;
    let traced = workload(asked, format, trace, &cluster)?;
    let workload = if asked.alike { traced.alike() } else { traced };
    let shockwave = format == Format::Shockwave;
    let round = asked.round_seconds.unwrap_or(if shockwave { 120 } else { 360 });
    let restart = asked.restart_seconds.unwrap_or(if shockwave { 20 } else { 0 });
    let (outcome, watch, bound) = if asked.policy == PUBLISHED {
        anyhow::ensure!(cluster.classes.len() == 1, "{PUBLISHED} knows one class of devices only; see --cluster");
        (priority_rounds::run(&workload, &cluster, f64::from(round), f64::from(restart)), Stopwatch::default(), 0.0)
    } else {
        planned(asked, &workload, &cluster, round, restart, format)?
    };
    let summary = Summary::of(&asked.policy, &outcome, &cluster, bound, watch);
    let (worst, unfair) = if shockwave { ftf_static(&workload, &cluster, &outcome) } else { (None, None) };
    let told = Told { summary, ftf_static_worst: worst, ftf_static_unfair_share: unfair };
    let rounds = rounds_csv(cluster.devices(), &outcome);
    files::write(asked.out.as_deref(), &told, &[("jobs.csv", jobs_csv(&workload, &outcome)), ("rounds.csv", rounds)])
}

fn planned(
    asked: &Simulate,
    workload: &Workload,
    cluster: &Cluster,
    round_seconds: u32,
    restart_seconds: u32,
    format: Format,
) -> anyhow::Result<(Outcome, Stopwatch, f64)> {
    let policy: SharePolicy = asked.policy.parse().map_err(|_| {
        let known: Vec<&str> = SharePolicy::ALL.iter().map(|policy| policy.as_str()).collect();
        anyhow::anyhow!("no share policy `{}`; choose one of {}, {PUBLISHED}", asked.policy, known.join(", "))
    })?;
    let settings = Settings {
        policy,
        tilt: asked.tilt,
        round_seconds,
        restart_seconds,
        whole_steps: format == Format::Gavel,
        seed: asked.seed,
        max_rounds: asked.max_rounds,
    };
    let mut watch = Stopwatch::default();
    let mut found = Vec::new();
    let mut planner = |snapshot: &_, rules: &_, now, seed| {
        let start = SystemClock.elapsed();
        let plan = scheduler::plan(snapshot, rules, now, seed);
        let took = (SystemClock.elapsed() - start).as_secs_f64() * 1e3;
        watch.total_ms += took;
        watch.max_ms = watch.max_ms.max(took);
        if asked.verify && found.is_empty() {
            found = scheduler::verify(snapshot, rules, &plan).err().unwrap_or_default();
        }
        plan
    };
    let before = scheduler::solve::fallbacks();
    let outcome = play(workload, cluster, &settings, &scheduler::simulation::run::Alike, &mut planner);
    watch.fallbacks = scheduler::solve::fallbacks() - before;
    match found.first() {
        Some(violation) => anyhow::bail!("a plan does not hold: {violation:?}"),
        None => {
            let bound = bounds::rho_avg(workload, cluster, &settings, &outcome);
            Ok((outcome, watch, bound))
        }
    }
}

fn workload(asked: &Simulate, format: Format, trace: &Path, cluster: &Cluster) -> anyhow::Result<Workload> {
    let text = files::text(trace)?;
    let speeds = || -> anyhow::Result<(&Path, String)> {
        let path = asked.throughputs.as_deref().context("this format needs --throughputs")?;
        Ok((path, files::text(path)?))
    };
    Ok(match format {
        Format::Gavel => {
            let (path, table) = speeds()?;
            let table = files::read(path, gavel::throughputs(&table))?;
            files::read(trace, gavel::workload(&text, &table, cluster))?
        }
        Format::Shockwave => {
            let (path, times) = speeds()?;
            let lines = files::read(trace, shockwave::trace(&text))?;
            files::read(path, gangs::shockwave(&lines, &times, cluster))?
        }
        Format::Openb => gangs::timed(&files::read(trace, openb::pods(&text))?.jobs, cluster),
        Format::Tiresias => gangs::timed(&files::read(trace, tiresias::jobs(&text))?, cluster),
        Format::Pcs => anyhow::bail!("PCS' applications are not gangs"),
    })
}

fn cluster(asked: &Simulate, format: Format) -> anyhow::Result<Cluster> {
    let sizes: BTreeMap<String, u32> = match (&asked.cluster, &asked.nodes, format) {
        (Some(text), ..) => text.split(',').map(class).collect::<anyhow::Result<_>>()?,
        (None, Some(path), Format::Openb) => {
            let mut sizes = BTreeMap::new();
            for ((model, gpus), nodes) in files::read(path, openb::nodes(&files::text(path)?))? {
                *sizes.entry(model.to_ascii_lowercase()).or_insert(0) += gpus * nodes;
            }
            sizes
        }
        (None, _, Format::Gavel) => ["v100", "p100", "k80"].map(|class| (class.to_owned(), 12)).into(),
        (None, _, Format::Shockwave) => [("v100".to_owned(), 32)].into(),
        (None, _, Format::Tiresias) => [("gpu".to_owned(), 64)].into(),
        (None, ..) => anyhow::bail!("this format needs --cluster, or --nodes with the list of nodes"),
    };
    let classes = sizes.into_iter().map(|(class, devices)| {
        let parsed = class.parse().map_err(|_| anyhow::anyhow!("`{class}` cannot be the name of a class"))?;
        Ok(ClassSize { class: parsed, devices })
    });
    Ok(Cluster { classes: classes.collect::<anyhow::Result<_>>()?, gpus_per_node: asked.gpus_per_node })
}

fn class(text: &str) -> anyhow::Result<(String, u32)> {
    let wrong = || format!("--cluster: `{text}` is not a class and its number of devices, such as v100=12");
    let (class, devices) = text.split_once('=').with_context(wrong)?;
    let devices: u32 = devices.trim().parse().ok().filter(|devices| *devices > 0).with_context(wrong)?;
    Ok((class.trim().to_owned(), devices))
}

/// The worst ratio and the part above 1.05, of those that finished.
fn ftf_static(workload: &Workload, cluster: &Cluster, outcome: &Outcome) -> (Option<f64>, Option<f64>) {
    let count = |number: usize| u32::try_from(number).map_or(f64::INFINITY, f64::from);
    let contention = (count(workload.jobs.len()) / f64::from(cluster.devices())).max(1.0);
    let ratios: Vec<f64> = workload
        .jobs
        .iter()
        .zip(&outcome.jobs)
        .filter_map(|(job, told)| Some(told.completion()? / (job.work * contention)))
        .collect();
    let unfair = count(ratios.iter().filter(|ratio| **ratio > UNFAIR).count()) / count(ratios.len()).max(1.0);
    (ratios.into_iter().reduce(f64::max), Some(unfair))
}
