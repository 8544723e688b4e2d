//! Applications whose work any number of GPUs can share, on leases that end: the setting of finish-time fairness auctions.
//!
//! An application is divisible: with `n` GPUs, at most `parallel`, its work shrinks by `n` GPU-seconds per second. GPUs are
//! granted for a lease; when a lease ends, an application finishes or a new one comes, the free GPUs are granted again. A
//! GPU whose application finishes is free at once. All GPUs are alike and nothing is lost by moving.
//!
//! The rules here are the market's share policies in this setting. What a rule may look at is a [`View`]; the clock belongs
//! to [`leases::run`] alone.

pub mod auction;
pub mod equal_share;
pub mod finish_time_fair;
pub mod leases;
pub mod names;
pub mod queues;
pub mod report;
pub mod rho;
pub mod themis2;

use super::traces::pcs::App;

/// An application that has come and is not finished.
#[derive(Debug, Clone, PartialEq)]
pub struct Active {
    /// Its place in the workload.
    pub app: usize,
    /// When it came, in seconds.
    pub arrival_s: f64,
    /// GPU-seconds in all.
    pub work: f64,
    /// GPU-seconds not yet done.
    pub left: f64,
    /// GPUs that it can use at once.
    pub parallel: u32,
    /// GPUs that it holds on leases which have not ended.
    pub held: u32,
    /// GPU-seconds that a private share of the cluster would have done since it came.
    pub reference: f64,
    /// Seconds after which the reference was done, if it is.
    pub ideal_s: Option<f64>,
}

/// What a rule sees when GPUs are free.
#[derive(Debug)]
pub struct View<'a> {
    /// The time in seconds.
    pub now_s: f64,
    /// GPUs in all.
    pub gpus: u32,
    /// GPUs without a lease.
    pub free: u32,
    /// How long a lease lasts, in seconds.
    pub lease_s: f64,
    /// The applications, by arrival.
    pub active: &'a [Active],
}

/// A rule for free GPUs.
pub trait Rule {
    /// How many more GPUs each active application gets: together at most what is free, and none more than it can use.
    fn grant(&self, view: &View<'_>) -> Granted;
}

/// What a rule gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Granted {
    /// GPUs more for each active application, in their order.
    pub gpus: Vec<u32>,
    /// GPUs that winners of an auction did not keep.
    pub withheld: u32,
    /// GPUs that went back to bidders since nobody else could use them.
    pub returned: u32,
}

impl From<Vec<u32>> for Granted {
    fn from(gpus: Vec<u32>) -> Self {
        Self { gpus, withheld: 0, returned: 0 }
    }
}

impl View<'_> {
    /// GPUs of a private equal share, at most what the application can use.
    #[must_use]
    pub fn share(&self, active: &Active) -> f64 {
        let count = u32::try_from(self.active.len()).unwrap_or(u32::MAX);
        f64::from(active.parallel).min(f64::from(self.gpus) / f64::from(count.max(1)))
    }

    /// How long the application's reference takes in all: what is past exactly, what is to come at the present share.
    #[must_use]
    pub fn ideal_s(&self, active: &Active) -> f64 {
        let so_far = self.now_s - active.arrival_s;
        active.ideal_s.unwrap_or_else(|| so_far + (active.work - active.reference) / self.share(active)).max(1e-9)
    }

    /// Its finish-time ratio if it goes on with `gpus` (more than 0) until it is done.
    #[must_use]
    pub fn rho(&self, active: &Active, gpus: f64) -> f64 {
        (self.now_s - active.arrival_s + active.left / gpus) / self.ideal_s(active)
    }

    /// Gives what is free to the applications in an order, to each all it can use beyond what it holds and was `given`.
    fn in_order(&self, order: &[usize], given: &mut [u32]) {
        let mut free = self.free - given.iter().sum::<u32>();
        for place in order {
            let more = (self.active[*place].parallel - self.active[*place].held - given[*place]).min(free);
            given[*place] += more;
            free -= more;
        }
    }
}

impl App {
    /// The application at its arrival.
    fn arrives(&self, app: usize) -> Active {
        Active {
            app,
            arrival_s: self.arrival_s,
            work: self.work,
            left: self.work,
            parallel: self.parallel,
            held: 0,
            reference: 0.0,
            ideal_s: None,
        }
    }
}
