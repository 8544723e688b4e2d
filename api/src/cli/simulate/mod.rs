//! `souk simulate`: a trace or a drawn workload in virtual time.
//!
//! Gangs on classes of devices go through the same plan that clears pools; divisible applications on leases through the
//! rules of that setting. Which of the two it is follows from the format.

mod applications;
mod gangs;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use scheduler::world::Tilt;

/// Play a trace or a drawn workload in virtual time.
#[derive(Debug, Args)]
pub struct Simulate {
    /// The trace
    #[arg(long, required_unless_present = "workload", conflicts_with = "workload", requires = "format")]
    trace: Option<PathBuf>,

    /// What the trace's lines are
    #[arg(long)]
    format: Option<Format>,

    /// A workload drawn from published distributions, which are read from the folder pcs below SOUK_DATA
    #[arg(long)]
    workload: Option<Drawn>,

    /// Gavel: throughputs. Shockwave: the profile, or throughputs of the first batch size
    #[arg(long)]
    throughputs: Option<PathBuf>,

    /// Classes and their devices, such as v100=12,p100=12
    #[arg(long)]
    cluster: Option<String>,

    /// OpenB's list of nodes: the cluster, if it is not given by --cluster
    #[arg(long)]
    nodes: Option<PathBuf>,

    /// Devices per node; with 1, gangs span nodes
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    gpus_per_node: u32,

    /// Let every gang be everywhere as fast as where it is fastest, as if all devices were alike
    #[arg(long)]
    alike: bool,

    /// Who gets what: a pool's share policy or, for applications, a rule of theirs; max_min_fairness re-enacts Shockwave's
    #[arg(long, default_value = "finish_time_fair")]
    policy: String,

    /// What finish_time_fair leans to: `fair` or `fast`
    #[arg(long, default_value = "fair")]
    tilt: Tilt,

    /// Length of a round of gangs; 360 unless the format has its own (Shockwave 120)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=86400))]
    round_seconds: Option<u32>,

    /// What a start of a gang costs; 0 unless the format has its own (Shockwave 20)
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=86400))]
    restart_seconds: Option<u32>,

    /// Rounds after which a simulation of gangs ends, whoever is left
    #[arg(long, default_value_t = 1_000_000)]
    max_rounds: u64,

    /// GPUs of a cluster for applications
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    gpus: u32,

    /// Length of a lease of applications
    #[arg(long, default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=86400))]
    lease_seconds: u32,

    /// Applications to draw
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    apps: u32,

    /// Work that comes per second over what the cluster can do
    #[arg(long, default_value_t = 0.9)]
    load: f64,

    /// PCS: GPUs that each job of an application can use; the trace does not say
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    gpus_per_job: u32,

    /// Let what auctions withhold stay idle rather than give it back to bidders when nobody else can use it
    #[arg(long)]
    keep_withheld: bool,

    /// Check every plan of gangs with the independent verifier; a violation is an error
    #[arg(long)]
    verify: bool,

    /// Seed of whatever is drawn
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Folder of the public data
    #[arg(long, env = "SOUK_DATA", default_value = "../shared/data")]
    data: PathBuf,

    /// Folder to write summary.json, jobs.csv and rounds.csv to; made if it is not there
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Formats of traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Gavel: ten columns, gangs on several classes
    Gavel,
    /// Shockwave: twelve columns, gangs on one class
    Shockwave,
    /// PCS: divisible applications
    Pcs,
    /// OpenB: pods of known duration
    Openb,
    /// Tiresias: gangs of known duration
    Tiresias,
}

/// Workloads that can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Drawn {
    /// Applications as in the Themis paper's second workload
    Themis2,
}

impl Simulate {
    /// Plays it and writes what came of it.
    pub fn run(self) -> anyhow::Result<()> {
        match (self.format, &self.trace) {
            (Some(format), Some(trace)) if format != Format::Pcs => gangs::run(&self, format, trace),
            (_, trace) => applications::run(&self, trace.as_deref()),
        }
    }
}
