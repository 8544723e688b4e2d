//! Divisible applications on leases.

use std::path::Path;

use anyhow::Context as _;
use scheduler::simulation::apps::leases::{self, Cluster};
use scheduler::simulation::apps::names::{NAMES, rule};
use scheduler::simulation::apps::report::{Figures, jobs_csv, rounds_csv};
use scheduler::simulation::apps::themis2::{Distributions, draw};
use scheduler::simulation::traces::pcs::{self, App, Cdf};

use super::Simulate;
use crate::cli::files;

pub(super) fn run(asked: &Simulate, trace: Option<&Path>) -> anyhow::Result<()> {
    let rule = rule(&asked.policy, !asked.keep_withheld).with_context(|| {
        format!("applications know no policy `{}`; choose one of {}", asked.policy, NAMES.join(", "))
    })?;
    let apps = match trace {
        Some(path) => files::read(path, pcs::apps(&files::text(path)?, asked.gpus_per_job))?,
        None => themis2(asked)?,
    };
    let cluster = Cluster { gpus: asked.gpus, lease_s: f64::from(asked.lease_seconds) };
    let outcome = leases::run(&apps, cluster, rule.as_ref())?;
    let figures = Figures::of(&asked.policy, &apps, cluster, &outcome);
    let tables = [("jobs.csv", jobs_csv(&apps, cluster, &outcome)), ("rounds.csv", rounds_csv(cluster, &outcome))];
    files::write(asked.out.as_deref(), &figures, &tables)
}

fn themis2(asked: &Simulate) -> anyhow::Result<Vec<App>> {
    anyhow::ensure!(asked.load > 0.0 && asked.load.is_finite(), "--load must be above 0");
    let cdf = |name: &str| {
        let path = asked.data.join("pcs").join(format!("cdf-{name}-themis2.csv"));
        let text = files::text(&path).context("set SOUK_DATA to the folder of the public data")?;
        files::read(&path, Cdf::parse(&text))
    };
    let distributions = Distributions {
        work: cdf("app-service-times")?,
        jobs: cdf("num-jobs-per-app")?,
        gpus_per_job: cdf("max-gpus-per-job")?,
    };
    let count = usize::try_from(asked.apps)?;
    Ok(draw(&distributions, count, asked.load, asked.gpus, asked.seed))
}
