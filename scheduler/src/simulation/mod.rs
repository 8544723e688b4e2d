//! The market in virtual time: the same [`crate::plan`] that clears real pools, driven by a trace.
//!
//! ```text
//!   Workload ─┐
//!   Cluster  ─┼─► run ─► every round: Snapshot ─► plan ─► apply ─► progress ─► Outcome ─► Summary, jobs.csv, rounds.csv
//!   Settings ─┘                          ▲                            │
//!                                        └──── fairness handed on ◄───┘
//! ```
//!
//! - [`workload`] what comes in: [`Workload`], [`Cluster`]; every trace reader makes one, see [`gavel`]
//! - [`mod@run`] the loop: [`Settings`], [`Hooks`], [`run()`]
//! - [`world`] from the state of the simulation to a snapshot, and from a plan back
//! - [`reference`] what private shares would have done, exact between arrivals and finishes
//! - [`bounds`] what no schedule could better
//! - [`outcome`] what came out per job; [`summary`] over all; [`statistics`] of both; [`report`] as text
//! - [`apps`] divisible applications on leases, and auctions among them; [`priority_rounds`] a published simulator's rounds
//! - [`traces`] readers of other published traces; [`gavel_recipe`] draws ones like Gavel's, with the numbers of a [`twister`]
//!
//! Pure: text in, values out. Reading files, measuring time and printing belong to the caller, who hands in the planner
//! as a function ([`Planner`]) and may time it, check it or replace it.
//!
//! What is modelled: rounds on a fixed grid (an arrival waits for the next grid point), leases of whole rounds (a job that
//! ends inside a round gives its devices back at the round's end), gangs, restarts. What is not: prices (every device
//! costs the same and budgets are ample), notices, failures, devices that differ inside a class unless a hook says so.

pub mod apps;
pub mod bounds;
pub mod gavel;
pub mod gavel_recipe;
pub mod outcome;
pub mod priority_rounds;
pub mod reference;
pub mod report;
pub mod run;
pub mod statistics;
pub mod summary;
pub mod traces;
pub mod twister;
pub mod workload;
pub mod world;

pub use outcome::{JobOutcome, Outcome};
pub use run::{Hooks, Planner, Settings, run};
pub use summary::Summary;
pub use workload::{ClassSize, Cluster, SimJob, Workload};
