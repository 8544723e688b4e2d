//! `souk bench`

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::bench::Summary;
use crate::bench::bids::{Plan, Report, measure};
use crate::bench::{payments, round, solve};
use crate::telemetry;

/// Measure this machine.
#[derive(Debug, Args)]
pub struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Bids over HTTP per second, next to plain one-row commits into the same PostgreSQL
    Bids(Bids),
    /// Processor time of a whole round, planned and verified
    Round(Round),
    /// Processor time of a fractional allocation, with what its certificate proves
    Solve(Solve),
    /// Processor time of hidden payments: every optimum without one job, next to solves from nothing
    Payments(Pay),
    /// Print what `solve` solves, as JSON
    Instance(Solve),
}

#[derive(Debug, Args)]
struct Bids {
    /// Callers at once
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=256))]
    clients: u16,

    /// Seconds for bids; the comparison gets as many again
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,

    /// Turns of bids and comparison
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Folder on the disk to measure; the temporary folder unless named
    #[arg(long)]
    below: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct Solve {
    /// What is optimised
    #[arg(long, value_enum)]
    objective: Objective,

    /// Jobs
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    jobs: u32,

    /// Device classes
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=64))]
    classes: u16,

    /// The same seed gives the same instance everywhere
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum Objective {
    MaxMin,
    Nash,
    Exchange,
}

#[derive(Debug, Args)]
struct Pay {
    /// Jobs
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    jobs: u32,

    /// Device classes
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=64))]
    classes: u16,

    /// The same seed gives the same instance everywhere
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Round {
    /// Nodes of the pool, with 20 devices on every three
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..=20_000))]
    nodes: u64,

    /// Demands, running and waiting
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    jobs: u64,

    /// Rounds that count, after those that fill the pool
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// A table from 1,000 to 10,000 devices instead of one size
    #[arg(long, conflicts_with_all = ["nodes", "jobs"])]
    growth: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Bench {
    /// Measures and prints.
    pub fn run(self) -> anyhow::Result<()> {
        match self.what {
            What::Bids(bids) => bids.run(),
            What::Solve(solve) => solve.run(),
            What::Payments(pay) => pay.run(),
            What::Instance(solve) => solve.print_instance(),
            What::Round(round) => round.run(),
        }
    }
}

impl Solve {
    fn instance(&self) -> anyhow::Result<scheduler::solve::Instance> {
        let objective = match self.objective {
            Objective::MaxMin => scheduler::solve::Objective::MaxMin,
            Objective::Nash => scheduler::solve::Objective::Nash,
            Objective::Exchange => scheduler::solve::Objective::Exchange,
        };
        let jobs = usize::try_from(self.jobs)?;
        Ok(scheduler::solve::Instance::new(objective, jobs, usize::from(self.classes), self.seed))
    }

    fn run(self) -> anyhow::Result<()> {
        let solved = solve::measure(&self.instance()?)?;
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&solved)?)?;
        } else {
            let solve::Solved { objective, cpu_ms, iterations, gap, .. } = solved;
            writeln!(
                out,
                "objective {objective}, {cpu_ms:.3} ms of processor time, {iterations} steps, gap {gap:.1e}"
            )?;
        }
        Ok(())
    }

    fn print_instance(self) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", serde_json::to_string(&self.instance()?)?)?;
        Ok(())
    }
}

impl Pay {
    fn run(self) -> anyhow::Result<()> {
        let (jobs, classes) = (usize::try_from(self.jobs)?, usize::from(self.classes));
        let nash = scheduler::solve::Objective::Nash;
        let paid = payments::measure(&scheduler::solve::Instance::new(nash, jobs, classes, self.seed))?;
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&paid)?)?;
        } else {
            let payments::Paid { solves, cpu_ms, cold_cpu_ms, cold_measured, ratio, warm_starts_failed, .. } = paid;
            writeln!(
                out,
                "{solves} payments, {cpu_ms:.1} ms of processor time; {cold_cpu_ms:.1} ms from nothing (by {cold_measured}), \
                 ratio {ratio:.3}, {warm_starts_failed} warm starts failed"
            )?;
        }
        Ok(())
    }
}

impl Bids {
    fn run(self) -> anyhow::Result<()> {
        telemetry::start(telemetry::QUIET);
        let report = measure(&Plan {
            clients: usize::from(self.clients),
            time: Duration::from_secs(self.seconds),
            rounds: self.rounds,
            below: self.below.unwrap_or_else(std::env::temp_dir),
        })?;
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        } else {
            print(&mut out, &report)?;
        }
        Ok(())
    }
}

impl Round {
    fn run(self) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        if self.growth {
            let growth = round::growth(self.rounds)?;
            if self.json {
                writeln!(out, "{}", serde_json::to_string_pretty(&growth)?)?;
                return Ok(());
            }
            table(&mut out, &growth.rounds)?;
            writeln!(out, "time grows {:.1} times, n log n {:.1} times", growth.time_ratio, growth.n_log_n_ratio)?;
            return Ok(());
        }
        let row = round::measure(round::Shape { nodes: self.nodes, demands: self.jobs, rounds: self.rounds })?;
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&row)?)?;
        } else {
            table(&mut out, &[row])?;
        }
        Ok(())
    }
}

fn table(out: &mut impl std::io::Write, rows: &[round::Round]) -> std::io::Result<()> {
    writeln!(out, "processor time in ms; the middle round, and the worst")?;
    let heads = ["nodes", "devices", "demands", "running", "changes", "plan", "verify", "plan max", "both max"];
    writeln!(out, "{}", heads.map(|head| format!("{head:>9}")).join(""))?;
    for row in rows {
        write!(
            out,
            "{:>9}{:>9}{:>9}{:>9}{:>9.0}",
            row.nodes, row.devices, row.demands, row.running, row.changes_per_round
        )?;
        let (plan, worst) = (row.plan_milliseconds, row.plan_milliseconds_max);
        writeln!(out, "{plan:>9.1}{:>9.1}{worst:>9.1}{:>9.1}", row.verify_milliseconds, row.round_milliseconds_max)?;
    }
    Ok(())
}

fn print(out: &mut impl std::io::Write, report: &Report) -> std::io::Result<()> {
    let clients = report.clients;
    writeln!(out, "{clients} clients, durable PostgreSQL on disk, in turn:")?;
    writeln!(out, "{:<28} {:>10} {:>10} {:>10} {:>8}", "", "per second", "p50 ms", "p99 ms", "failed")?;
    line(out, "POST /v1/bids", report.bids)?;
    line(out, "plain INSERT and commit", report.inserts)?;
    let rounds: Vec<String> = report.ratio_of_rounds.iter().map(|ratio| format!("{ratio:.2}")).collect();
    writeln!(out, "bids per plain commit: {:.2} (rounds: {})", report.ratio, rounds.join(" "))
}

fn line(out: &mut impl std::io::Write, name: &str, summary: Summary) -> std::io::Result<()> {
    let Summary { per_second, p50_milliseconds, p99_milliseconds, failed, .. } = summary;
    writeln!(out, "{name:<28} {per_second:>10.0} {p50_milliseconds:>10.2} {p99_milliseconds:>10.2} {failed:>8}")
}
