//! A promised finish time, and what becomes of it.
//!
//! ```text
//! open -> kept       the work was done in time
//!      -> missed     it was not: a part of what the job paid returns
//!      -> void       the tenant, its money or its command ended the job before
//! ```

use scheduler::fairness::promise::Promise as Terms;
use scheduler::world::Micros;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use scheduler::world::ids::{NodeId, ProviderId, RentalId, TransferId};

/// Where a promise stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromiseState {
    /// It is not decided yet.
    Open,
    /// The work was done in time.
    Kept,
    /// It was not, and a part of what the job paid returned.
    Missed,
    /// The job ended for a reason of its own.
    Void,
}

impl PromiseState {
    /// Every state.
    pub const ALL: [Self; 4] = [Self::Open, Self::Kept, Self::Missed, Self::Void];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Kept => "kept",
            Self::Missed => "missed",
            Self::Void => "void",
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// A job's promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// When the work is done at the latest.
    pub finish_by: OffsetDateTime,
    /// What it rests on.
    pub terms: Terms,
    /// Where it stands.
    pub state: PromiseState,
    /// What returned to the tenant because it was missed.
    pub refund: Micros,
    /// The transfer that returned it.
    pub transfer: Option<TransferId>,
    /// What was found when it was missed.
    pub evidence: Option<Evidence>,
    /// When it was decided.
    pub settled_at: Option<OffsetDateTime>,
}

impl Promise {
    /// A promise that was just made.
    #[must_use]
    pub fn made(terms: Terms) -> Self {
        Self {
            finish_by: crate::clock::from_at(terms.finish_by),
            terms,
            state: PromiseState::Open,
            refund: Micros::ZERO,
            transfer: None,
            evidence: None,
            settled_at: None,
        }
    }
}

/// What was found of a job whose promise was missed. Written once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// All its work, in thousandths of its unit.
    pub work: i64,
    /// What of it was done by the promised time.
    pub done: i64,
    /// What the job had paid.
    pub paid: Micros,
    /// The first and the last round between its submission and the promised time; their records can be replayed.
    pub rounds: Option<(i64, i64)>,
    /// Rentals of the job that their providers lost.
    pub faults: Vec<Fault>,
    /// What each of those providers gave back, in the order of their identities. The marketplace bore the rest.
    pub given_back: Vec<(ProviderId, Micros)>,
}

/// A rental that its provider lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Which rental.
    pub rental: RentalId,
    /// The node it was on.
    pub node: NodeId,
    /// Whose node that is.
    pub provider: ProviderId,
    /// Why the rental ended.
    pub reason: String,
}
