//! What a fair-share job is, pure: its work, its states, and what may be done with it. No SQL, no clock.

mod promise;
mod state;
mod work;

pub use promise::{Evidence, Fault, Promise, PromiseState};
pub use state::{Action, JobState, Refused, StateName};
pub use work::{
    Unit, WorkError, count_work, fraction, parse_cap, parse_weight, spell_cap, spell_weight, spell_work,
    unprofiled_speed,
};

use scheduler::world::ids::{JobId, OrganisationId, PoolId, ProfileId, RentalId, UserId};
use scheduler::world::{ClassId, DemandId, Micros};
use time::OffsetDateTime;

/// An amount of work, finished as soon as is fair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Identity.
    pub id: JobId,
    /// Who pays.
    pub organisation: OrganisationId,
    /// Where it runs.
    pub pool: PoolId,
    /// Who submitted it.
    pub created_by: UserId,
    /// What people call it.
    pub name: String,
    /// The GPU request.
    pub request: String,
    /// The measured workload that it is; none when its work is counted in time.
    pub profile: Option<ProfileId>,
    /// What its work is counted in.
    pub unit: Unit,
    /// The classes it can run on.
    pub classes: Vec<ClassId>,
    /// Devices, all or nothing, on one node.
    pub gang: i32,
    /// Its weight in thousandths; 1000 is the usual share.
    pub weight_milli: i32,
    /// All the work, in thousandths.
    pub work: i64,
    /// Work done as of the last round.
    pub done: i64,
    /// What a private share of the pool would have done by then.
    pub reference: i64,
    /// Projected finish-time ratio in millionths, as of the last round.
    pub rho_ppm: Option<i64>,
    /// Entitled time due minus received in milliseconds, as of the last round. Positive: owed.
    pub lag_millis: Option<i64>,
    /// The most it may cost. Held as a whole.
    pub budget: Micros,
    /// What it has cost.
    pub spent: Micros,
    /// What to run.
    pub command: Option<String>,
    /// Where it stands.
    pub state: JobState,
    /// The rental that serves it, or served it last.
    pub rental: Option<RentalId>,
    /// When it was submitted.
    pub created_at: OffsetDateTime,
    /// For guarded writes.
    pub version: i64,
}

impl Job {
    /// The demand that its hold and its rentals belong to.
    #[must_use]
    pub const fn demand(&self) -> DemandId {
        DemandId::Job(self.id)
    }
}
