//! How capacity is divided and priced: one file per share policy, one per price rule.
//!
//! A *share policy* orders the fair-share jobs among themselves. What they are owed is served before by pseudo-deadline,
//! the same under every policy that does not say otherwise; the policy decides who gets what nobody else could use.
//! A *price rule* makes one price per class from who won on the market and who lost.

pub mod equal_share;
pub mod finish_time_fair;
pub mod forecast;
pub mod max_min;
pub mod uniform_price;

use crate::fairness::Member;
use crate::world::{At, Rules, SharePolicy};

/// The fair-share side of a pool, as a policy sees it.
#[derive(Debug)]
pub struct Shares<'a> {
    /// The jobs, in order of demand.
    pub members: &'a [Member<'a>],
    /// For each job the classes it can run on: ordinal and speed of its gang in milliunits per second, in order of class.
    pub speeds: Vec<Vec<(usize, i64)>>,
    /// For each job the class it runs on now.
    pub runs_on: Vec<Option<usize>>,
    /// Devices of each class, by ordinal.
    pub capacity: Vec<i64>,
    /// The pool's settings.
    pub rules: &'a Rules,
    /// The instant of the round.
    pub now: At,
}

/// A job on a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// Place of the job among the members.
    pub member: usize,
    /// Ordinal of the class.
    pub class: usize,
}

/// A share policy: the order in which jobs are offered idle capacity. The same input gives the same order, everywhere.
pub trait Policy {
    /// Jobs on classes, most deserving first; each pair at most once.
    fn order(&self, shares: &Shares<'_>) -> Vec<Offer>;
}

/// The policy with a name.
#[must_use]
pub fn policy(name: SharePolicy) -> &'static dyn Policy {
    match name {
        SharePolicy::FinishTimeFair => &finish_time_fair::FinishTimeFair,
        SharePolicy::MaxMin => &max_min::MaxMin,
        SharePolicy::EqualShare => &equal_share::EqualShare,
    }
}

/// All pairs of a job and a class it can run on, by job in order of `key`, each job's fastest class first.
fn by_job<K: Ord>(shares: &Shares<'_>, key: impl Fn(usize) -> K) -> Vec<Offer> {
    let mut members: Vec<usize> = (0..shares.members.len()).collect();
    members
        .sort_by_cached_key(|member| (key(*member), shares.members[*member].arrived_at, shares.members[*member].id()));
    let offers = members.into_iter().flat_map(|member| {
        let mut classes = shares.speeds[member].clone();
        classes.sort_by_key(|(class, speed)| (std::cmp::Reverse(*speed), *class));
        classes.into_iter().map(move |(class, _)| Offer { member, class })
    });
    offers.collect()
}
