//! How capacity is divided and priced: one file per share policy, one per price rule.
//!
//! A *share policy* ([`Policy`]) looks once per round at the fair-share side of the pool ([`Shares`]) and returns a
//! [`Proposal`]:
//!
//! - `gangs`: whole gangs, each on one class, that it would run in the jobs' part of the pool, strongest first. They are
//!   seated by right of entitlement before the market, keep running where they run already, and are moved where the
//!   proposal names another class;
//! - `idle`: pairs of a job and a class in the order in which jobs are offered what nobody else could use;
//! - `targets`: for policies that think in fractions of time, what each job should get on each class. The round keeps
//!   the accounts (`JobFairness::targets`: credit grows with the target, shrinks with time received) and hands them back.
//!
//! What comes *before* the policy is a property of its name, [`SharePolicy::floors`], since the verifier goes by it too:
//! under [`Floors::Deadlines`](crate::world::Floors) what jobs are owed is served first by pseudo-deadline and `gangs` are
//! not looked at; under `Floors::Nothing` the policy alone decides.
//!
//! A *price rule* makes one price per class from who won on the market and who lost.

pub mod by_credit;
pub mod critical_ratio;
mod divided_time;
pub mod equal_share;
pub mod exchange;
pub mod fifo;
pub mod finish_time_fair;
pub mod forecast;
mod in_order;
pub mod las;
pub mod makespan;
pub mod max_min;
pub mod nash;
pub mod oef;
pub mod oef_cooperative;
pub mod oef_noncooperative;
pub mod partial_allocation;
pub mod partial_divisible;
pub mod shares;
pub mod sjf;
pub mod srpt;
pub mod themis_auction;
pub mod uniform_price;
pub mod whole_gangs;

pub use shares::Shares;

use crate::plan::Exchanged;
use crate::world::SharePolicy;

/// A job on a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// Place of the job among the members.
    pub member: usize,
    /// Ordinal of the class.
    pub class: usize,
}

/// What a share policy would do with the jobs' part of a round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposal {
    /// Gangs to run, strongest first: each job at most once, together within `Shares::owned`.
    pub gangs: Vec<Offer>,
    /// Jobs on classes, most deserving first, for what is left idle: each pair at most once. What is not listed here
    /// stays idle rather than run, which the verifier reports.
    pub idle: Vec<Offer>,
    /// By member and class ordinal the fraction of time, in trillionths, for which the job should run there from now on.
    /// Empty for policies without targets.
    pub targets: Vec<Vec<i64>>,
    /// What [`exchange`]'s programme found, for the record.
    pub exchange: Option<Exchanged>,
}

/// A share policy. The same input gives the same proposal, everywhere.
pub trait Policy {
    /// What it would do now. Jobs that cannot pay (`Member::active`) neither run nor count.
    fn propose(&self, shares: &Shares<'_>) -> Proposal;
}

/// The policy with a name.
#[must_use]
pub fn policy(name: SharePolicy) -> &'static dyn Policy {
    match name {
        SharePolicy::FinishTimeFair => &finish_time_fair::FinishTimeFair,
        SharePolicy::MaxMin => &max_min::MaxMin,
        SharePolicy::EqualShare => &equal_share::EqualShare,
        SharePolicy::Nash => &nash::Nash,
        SharePolicy::Makespan => &makespan::Makespan,
        SharePolicy::Fifo => &fifo::Fifo,
        SharePolicy::Sjf => &sjf::Sjf,
        SharePolicy::Srpt => &srpt::Srpt,
        SharePolicy::Las => &las::Las,
        SharePolicy::ThemisAuction => &themis_auction::ThemisAuction,
        SharePolicy::OefCooperative => &oef_cooperative::OefCooperative,
        SharePolicy::OefNoncooperative => &oef_noncooperative::OefNoncooperative,
        SharePolicy::Exchange => &exchange::Exchange,
    }
}

/// All pairs of a job and a class it can run on, by job in order of `key`, each job's fastest class first.
fn by_job<K: Ord>(shares: &Shares<'_>, key: impl Fn(usize) -> K) -> Vec<Offer> {
    let mut members = shares.by_arrival();
    members.sort_by_cached_key(|member| key(*member));
    let offers = members.into_iter().flat_map(|member| {
        let mut classes = shares.speeds[member].clone();
        classes.sort_by_key(|(class, speed)| (std::cmp::Reverse(*speed), *class));
        classes.into_iter().map(move |(class, _)| Offer { member, class })
    });
    offers.collect()
}

#[expect(clippy::cast_precision_loss, reason = "speeds, times and credits are compared, not added up")]
fn float(number: i64) -> f64 {
    number as f64
}
