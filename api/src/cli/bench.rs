//! `souk bench`

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::bench::Summary;
use crate::bench::bids::{Plan, Report, measure};
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

impl Bench {
    /// Measures and prints.
    pub fn run(self) -> anyhow::Result<()> {
        match self.what {
            What::Bids(bids) => bids.run(),
        }
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
