//! The commands of the binary, one file each. Argument parsing and process start-up only.

mod admin;
mod agent;
mod audit;
mod bench;
mod compare;
mod database;
mod demo;
mod files;
mod host;
mod openapi;
mod operator;
mod serve;
mod simulate;
mod tenant;
mod this_machine;
mod trace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// An open GPU marketplace with a fairness you can prove.
#[derive(Debug, Parser)]
#[command(name = "souk", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API, the page and the market
    Serve(serve::Serve),
    /// Play demo providers and tenants on a running server
    Demo(demo::Demo),
    /// Offer this machine: run the agent of a provider's node
    Agent(agent::Agent),
    /// Do what only the owner of the machine may do
    Admin(admin::Admin),
    /// Replay stored rounds and check everything that was written about them
    Audit(audit::Audit),
    /// Measure this machine
    Bench(bench::Bench),
    /// Play a trace or a drawn workload in virtual time
    Simulate(Box<simulate::Simulate>),
    /// Draw a trace for simulate
    Trace(trace::Trace),
    /// Compare runs of simulate: print a table and write a page with plots
    Compare(compare::Compare),
    #[command(flatten)]
    Tenant(tenant::Tenant),
    /// Print the API's description
    Openapi,
}

/// Runs the command of this process.
#[must_use]
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(serve) => serve.run(),
        Command::Demo(demo) => demo.run(),
        Command::Agent(agent) => agent.run(),
        Command::Admin(admin) => admin.run(),
        Command::Audit(audit) => audit.run(),
        Command::Bench(bench) => bench.run(),
        Command::Simulate(simulate) => simulate.run(),
        Command::Trace(trace) => trace.run(),
        Command::Compare(compare) => compare.run(),
        Command::Tenant(tenant) => tenant.run(),
        Command::Openapi => openapi::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

#[expect(clippy::print_stderr, reason = "a command's last word")]
fn fail(error: &anyhow::Error) -> ExitCode {
    eprintln!("souk: {error:#}");
    ExitCode::FAILURE
}
