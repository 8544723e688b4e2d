//! What becomes of a bid or a job when the rental that served it ends.

use super::EndReason;

/// What becomes of the bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BidAfter {
    /// It waits in the book again.
    Open,
    /// The tenant is done with it.
    Cancelled,
    /// Its run is over.
    Expired,
    /// Its money is spent.
    Exhausted,
}

impl BidAfter {
    /// A bid re-enters only what was not its own doing, and only if it asked to. A command that cannot start would
    /// fail again at once, so it does not come back either.
    #[must_use]
    pub const fn of(reason: EndReason, reenter: bool) -> Self {
        match reason {
            EndReason::Tenant => Self::Cancelled,
            EndReason::Budget | EndReason::MaxSpend | EndReason::Balance => Self::Exhausted,
            EndReason::MaxDuration | EndReason::StartFailed | EndReason::Idle | EndReason::Admin => Self::Expired,
            EndReason::Provider
            | EndReason::Preempted
            | EndReason::ProvisioningTimeout
            | EndReason::NodeLost
            | EndReason::DeviceFault => {
                if reenter {
                    Self::Open
                } else {
                    Self::Expired
                }
            }
        }
    }

    /// The bid's state, as stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Exhausted => "exhausted",
        }
    }

    /// The event that tells it.
    #[must_use]
    pub const fn event(self) -> &'static str {
        match self {
            Self::Open => "bid.opened",
            Self::Cancelled => "bid.cancelled",
            Self::Expired => "bid.expired",
            Self::Exhausted => "bid.exhausted",
        }
    }

    /// Whether the bid is over, and what is held for it returns.
    #[must_use]
    pub const fn is_closed(self) -> bool {
        !matches!(self, Self::Open)
    }
}

/// What becomes of the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobAfter {
    /// It waits for its next turn; its progress stays.
    Preempted,
    /// Its work is done.
    Completed,
    /// The tenant is done with it.
    Cancelled,
    /// It cannot go on: no money, or it does not start.
    Failed,
}

impl JobAfter {
    /// A job waits for its next turn unless the tenant, its money or its own command ended it.
    #[must_use]
    pub const fn of(reason: EndReason) -> Self {
        match reason {
            EndReason::Tenant => Self::Cancelled,
            EndReason::Budget
            | EndReason::MaxSpend
            | EndReason::Balance
            | EndReason::MaxDuration
            | EndReason::StartFailed
            | EndReason::Idle
            | EndReason::Admin => Self::Failed,
            EndReason::Provider
            | EndReason::Preempted
            | EndReason::ProvisioningTimeout
            | EndReason::NodeLost
            | EndReason::DeviceFault => Self::Preempted,
        }
    }

    /// The job's state, as stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Preempted => "preempted",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    /// The event that tells it.
    #[must_use]
    pub const fn event(self) -> &'static str {
        match self {
            Self::Preempted => "job.preempted",
            Self::Completed => "job.completed",
            Self::Cancelled => "job.cancelled",
            Self::Failed => "job.failed",
        }
    }

    /// Whether the job is over, and what is held for it returns.
    #[must_use]
    pub const fn is_closed(self) -> bool {
        !matches!(self, Self::Preempted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bid_comes_back_only_if_it_asked_to_and_never_after_its_own_doing() {
        for reason in EndReason::ALL {
            assert!(BidAfter::of(reason, false).is_closed(), "{reason:?}");
            let came_back = !BidAfter::of(reason, true).is_closed();
            let not_its_doing = matches!(
                reason,
                EndReason::Provider
                    | EndReason::Preempted
                    | EndReason::ProvisioningTimeout
                    | EndReason::NodeLost
                    | EndReason::DeviceFault
            );
            assert_eq!(came_back, not_its_doing, "{reason:?}");
            assert_eq!(!JobAfter::of(reason).is_closed(), not_its_doing, "{reason:?}");
        }
    }
}
