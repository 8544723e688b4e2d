//! The states of a job, and the only ways from one to another.
//!
//! ```text
//! queued -> running <-> preempted       its turns; progress stays
//!    \         |          /
//!     completed | failed | cancelled
//! ```

use scheduler::world::ids::RentalId;
use time::OffsetDateTime;

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// It waits for its first turn.
    Queued,
    /// It has devices.
    Running {
        /// The rental that holds them.
        rental: RentalId,
    },
    /// It waits for its next turn.
    Preempted,
    /// Its work is done.
    Completed {
        /// When.
        at: OffsetDateTime,
    },
    /// It cannot go on.
    Failed {
        /// When.
        at: OffsetDateTime,
    },
    /// Its owner took it back.
    Cancelled {
        /// When.
        at: OffsetDateTime,
    },
}

/// The bare name of a state, the same as the column's values.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = JobState)]
pub enum StateName {
    /// Waits for its first turn.
    Queued,
    /// Has devices.
    Running,
    /// Waits for its next turn.
    Preempted,
    /// Its work is done.
    Completed,
    /// It cannot go on: no money, or it does not start.
    Failed,
    /// Taken back by its owner.
    Cancelled,
}

impl StateName {
    /// All states.
    pub const ALL: [Self; 6] =
        [Self::Queued, Self::Running, Self::Preempted, Self::Completed, Self::Failed, Self::Cancelled];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Preempted => "preempted",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// What a tenant can do with a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = JobAction)]
pub enum Action {
    /// Take it back. A rental that it has ends.
    Cancel,
}

/// The job is over, so nothing can be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the job is {} already", .now.as_str())]
pub struct Refused {
    /// The state it is in.
    pub now: StateName,
}

impl JobState {
    /// The bare name.
    #[must_use]
    pub const fn name(self) -> StateName {
        match self {
            Self::Queued => StateName::Queued,
            Self::Running { .. } => StateName::Running,
            Self::Preempted => StateName::Preempted,
            Self::Completed { .. } => StateName::Completed,
            Self::Failed { .. } => StateName::Failed,
            Self::Cancelled { .. } => StateName::Cancelled,
        }
    }

    /// The rental that serves it now.
    #[must_use]
    pub const fn rental(self) -> Option<RentalId> {
        match self {
            Self::Running { rental } => Some(rental),
            Self::Queued | Self::Preempted | Self::Completed { .. } | Self::Failed { .. } | Self::Cancelled { .. } => {
                None
            }
        }
    }

    /// When it was over.
    #[must_use]
    pub const fn closed_at(self) -> Option<OffsetDateTime> {
        match self {
            Self::Completed { at } | Self::Failed { at } | Self::Cancelled { at } => Some(at),
            Self::Queued | Self::Running { .. } | Self::Preempted => None,
        }
    }

    /// What a tenant can do now.
    #[must_use]
    pub const fn actions(self) -> &'static [Action] {
        if self.closed_at().is_some() { &[] } else { &[Action::Cancel] }
    }

    /// Its owner takes it back.
    ///
    /// # Errors
    /// [`Refused`] when it is over.
    pub fn cancel(self, at: OffsetDateTime) -> Result<Self, Refused> {
        match self.closed_at() {
            Some(_) => Err(Refused { now: self.name() }),
            None => Ok(Self::Cancelled { at }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    #[test]
    fn a_live_job_can_be_taken_back_and_a_closed_one_cannot() {
        let rental = RentalId::from_uuid(uuid::Uuid::from_u128(1));
        let every = [
            JobState::Queued,
            JobState::Running { rental },
            JobState::Preempted,
            JobState::Completed { at: AT },
            JobState::Failed { at: AT },
            JobState::Cancelled { at: AT },
        ];
        assert_eq!(every.map(JobState::name), StateName::ALL);
        for state in every {
            let live = state.closed_at().is_none();
            assert_eq!((state.cancel(AT).is_ok(), state.actions().is_empty()), (live, !live), "{state:?}");
        }
    }
}
