//! Finish-time fairness: what each job is owed, measured against what a private weighted share of the pool would do.
//!
//! [`assess`] does a round's bookkeeping: it brings every account forward and sets the shares of the coming quantum.
//! Who then runs where is decided elsewhere; [`Member::standing`] writes down what was decided.

pub mod deadline;
pub mod lag;
pub mod promise;
pub mod reference;
pub mod rho;
pub mod weight;

use crate::plan::Standing;
use crate::world::{At, ClassId, Demand, Departed, Holding, Job, JobFairness, JobId, Rules, Snapshot, Want};
use deadline::{Entitlement, Window};
use lag::Account;
use reference::{Capacity, Reference};

/// The fair-share jobs of a round, and those that left ahead of their share.
#[derive(Debug)]
pub struct Assessment<'a> {
    /// Every listed job, in order of demand.
    pub members: Vec<Member<'a>>,
    /// Closed jobs whose weight still counts, or has just stopped to.
    pub departed: Vec<Standing>,
    /// Devices that the shares are parts of.
    pub capacity: Capacity,
}

/// One job of a round.
#[derive(Debug)]
pub struct Member<'a> {
    /// Its place among the snapshot's demands.
    pub demand: usize,
    /// The job.
    pub job: &'a Job,
    /// When it came.
    pub arrived_at: At,
    /// Whether it can pay; who cannot neither runs nor is owed.
    pub active: bool,
    /// Its accounts as of now.
    pub account: Account,
    /// The weight with which it counts, in thousandths.
    pub weight: i32,
    /// What its share of the pool would do from now on.
    pub reference: Reference,
}

/// Brings every job's accounts forward to `now` and sets the shares of the coming quantum. `holding` finds what a demand
/// holds, `active` says whether a job can pay.
pub fn assess<'a>(
    world: &'a Snapshot,
    capacity: Capacity,
    holding: impl Fn(usize) -> Option<&'a Holding>,
    active: impl Fn(&Job) -> bool,
    rules: &Rules,
    now: At,
) -> Assessment<'a> {
    let mut members: Vec<Member<'a>> = world
        .demands
        .iter()
        .enumerate()
        .filter_map(|(index, demand)| match &demand.want {
            Want::Job(job) => Some(member(index, demand, job, holding(index), active(job), rules, now)),
            Want::OnDemand(_) | Want::Bid(_) => None,
        })
        .collect();
    let departed: Vec<Standing> = world.departed.iter().map(|gone| depart(gone, rules, now)).collect();
    let total = members.iter().map(|member| member.weight).chain(departed.iter().map(|gone| gone.state.weight_milli));
    let total: i64 = total.map(i64::from).sum();
    for member in &mut members {
        member.reference = reference::reference(member.job, member.weight, total, &capacity, rules.phi_ppm);
        member.count_crowd(total);
        if member.is_new() {
            member.begin_with_arrival(now);
        }
    }
    Assessment { members, departed, capacity }
}

fn member<'a>(
    index: usize,
    demand: &'a Demand,
    job: &'a Job,
    holding: Option<&Holding>,
    active: bool,
    rules: &Rules,
    now: At,
) -> Member<'a> {
    let account = lag::advance(job, demand.arrived_at, holding, now, rules);
    let wanted = if active { job.weight_milli } else { 0 };
    let weight = weight::counting(account.state.weight_milli, wanted, account.state.credit);
    let reference = Reference::default();
    Member { demand: index, job, arrived_at: demand.arrived_at, active, account, weight, reference }
}

/// A closed job's share goes on until it has caught up with what the job received.
fn depart(gone: &Departed, rules: &Rules, now: At) -> Standing {
    let elapsed = now.since(gone.advanced_at).at_least_zero();
    let idle = JobFairness { service: 0, ..gone.fairness.clone() };
    // Nobody tells when in the round it left: it is charged for all of it. That keeps its weight a little longer at most.
    let credit = lag::credit(&gone.fairness, elapsed, elapsed, rules);
    let weight_milli = weight::counting(idle.weight_milli, 0, credit);
    let settled = weight_milli == 0 || idle.share == 0;
    Standing {
        job: gone.job,
        done: 0,
        reference: 0,
        advanced_at: now,
        rho_ppm: 0,
        lag_millis: lag::lag_millis(credit, rules),
        entitled: false,
        settled,
        state: JobFairness { credit, weight_milli: if settled { 0 } else { weight_milli }, ..idle },
    }
}

impl Member<'_> {
    /// The window of the job's next entitled quantum, if one is due.
    #[must_use]
    pub fn window(&self) -> Option<Window> {
        if !self.active {
            return None;
        }
        Entitlement { credit: self.account.state.credit, share: self.reference.share }.window()
    }

    /// Whether no round has counted it yet. Of a job that came at the very instant of a round the clock alone does not tell.
    fn is_new(&self) -> bool {
        self.job.advanced_at <= self.arrived_at && self.job.fairness.crowd_milli == 0
    }

    /// How many jobs of its own weight the weights that count are worth.
    fn count_crowd(&mut self, total: i64) {
        let own = i64::from(self.weight);
        self.account.state.crowd_milli = if own > 0 { total * 1000 / own } else { 0 };
    }

    /// A reference begins when the job comes, not with its first round.
    fn begin_with_arrival(&mut self, now: At) {
        let waited = now.since(self.arrived_at).at_least_zero();
        self.account.reference = self.account.reference.saturating_add(lag::work_in(waited, self.reference.pace));
        let state = &mut self.account.state;
        state.crowd_sum = state.crowd_sum.saturating_add(state.crowd_milli.saturating_mul(waited.get()));
    }

    /// Whether its gang is in the middle of an entitled quantum. A round that comes a little early or late does not
    /// cut one: what ends within half a round has ended.
    #[must_use]
    pub fn serves_a_quantum(&self, rules: &Rules, now: At) -> bool {
        let ends = self.account.state.quantum_until;
        self.active
            && self.account.state.service > 0
            && ends.is_some_and(|end| end.since(now).get() * 2 > rules.round.get())
    }

    /// What is written down about the job. `entitled` names the class if its gang runs there by entitlement from now
    /// on; `leaving` says that a gang that did so before has been told to leave and still runs.
    #[must_use]
    pub fn standing(&self, entitled: Option<&ClassId>, leaving: bool, rules: &Rules, now: At) -> Standing {
        let before = &self.account.state;
        let (service, quantum_until) = match entitled {
            Some(_) if self.serves_a_quantum(rules, now) => (before.service, before.quantum_until),
            Some(class) => {
                let service = reference::service(self.job, class, self.reference);
                (service, Some(now.saturating_add(rules.quantum())))
            }
            None if leaving => (before.service, None),
            None => (0, None),
        };
        let undecided = self.undecided(rules, now);
        let state = JobFairness { service, quantum_until, ..undecided.state };
        Standing { entitled: entitled.is_some(), state, ..undecided }
    }

    /// The same where nothing is decided: who runs goes on as it did.
    #[must_use]
    pub fn undecided(&self, rules: &Rules, now: At) -> Standing {
        let before = &self.account.state;
        let state = JobFairness {
            share: self.reference.share,
            weight_milli: self.weight,
            pace: self.reference.pace,
            ..before.clone()
        };
        Standing {
            job: self.id(),
            done: self.account.done,
            reference: self.account.reference,
            advanced_at: now,
            rho_ppm: rho::projected(self.job, self.arrived_at, &self.account, self.reference.pace, now),
            lag_millis: lag::lag_millis(before.credit, rules),
            entitled: before.service > 0,
            settled: false,
            state,
        }
    }

    /// Which job.
    #[must_use]
    pub fn id(&self) -> JobId {
        self.job.job
    }
}
