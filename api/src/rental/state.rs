//! The states of a rental: what each knows, what is billed in it, and the only ways from one to another.
//!
//! ```text
//! pending -> provisioning -> pulling -> starting -> running -> stopping -> stopped
//!    ^            |             |          |           |                     |
//!    |            +-------------+----+-----+-----------+                     |
//!    |                               v                                       |
//!    |                            notice                                     |
//!    +------------------------------------------- start <--------------------+
//!
//! every state but `ended` -> ended(reason)
//! ```

use time::OffsetDateTime;

use super::EndReason;

/// Where a rental stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RentalState {
    /// It waits for devices that must first be taken back from somebody.
    Pending,
    /// It has devices; the node has not begun.
    Provisioning,
    /// The node fetches what it needs.
    Pulling,
    /// The node starts it.
    Starting,
    /// The tenant can use it.
    Running {
        /// Since when.
        usable_at: OffsetDateTime,
    },
    /// Its devices are promised to somebody else.
    Notice {
        /// When it must have left.
        until: OffsetDateTime,
        /// Since when the tenant can use it; never, when the notice came before it was usable.
        usable_at: Option<OffsetDateTime>,
    },
    /// The tenant stopped it; the node has not confirmed yet.
    Stopping,
    /// It has no devices. What it stored is kept.
    Stopped,
    /// It is over.
    Ended {
        /// Why.
        reason: EndReason,
        /// Since when.
        at: OffsetDateTime,
    },
}

/// The bare name of a state, the same as the column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RentalState)]
pub enum StateName {
    /// Waits for devices that must first be taken back from somebody.
    Pending,
    /// Has devices; the node has not begun.
    Provisioning,
    /// The node fetches what it needs.
    Pulling,
    /// The node starts it.
    Starting,
    /// Usable.
    Running,
    /// Being stopped.
    Stopping,
    /// Without devices, with its storage.
    Stopped,
    /// Usable until `notice_until`.
    Notice,
    /// Over.
    Ended,
}

/// What is billed in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BillingClass {
    /// Nothing.
    Free,
    /// The devices.
    Compute,
    /// What is stored, not the devices.
    StorageOnly,
}

/// Which kind of demand the rental serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RentalKind {
    /// At an ask's posted price, until the tenant stops.
    OnDemand,
    /// For a bid, while the price is at or below its limit.
    Bid,
    /// For a fair-share job.
    Job,
}

/// What a tenant can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RentalAction)]
pub enum Action {
    /// Give the devices back, keep the storage.
    Stop,
    /// Take devices again.
    Start,
    /// End it for good.
    End,
    /// Open a shell in it.
    OpenShell,
}

/// What the provider says about a workload that should run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observation {
    /// It fetches.
    Pulling,
    /// It starts.
    Starting,
    /// It is usable.
    Usable,
}

/// A transition that the present state does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a rental that is `{}` cannot {wanted}", .from.as_str())]
pub struct Refused {
    /// The present state.
    pub from: StateName,
    /// What was asked of it.
    pub wanted: &'static str,
}

impl RentalState {
    /// The bare name.
    #[must_use]
    pub const fn name(&self) -> StateName {
        match self {
            Self::Pending => StateName::Pending,
            Self::Provisioning => StateName::Provisioning,
            Self::Pulling => StateName::Pulling,
            Self::Starting => StateName::Starting,
            Self::Running { .. } => StateName::Running,
            Self::Notice { .. } => StateName::Notice,
            Self::Stopping => StateName::Stopping,
            Self::Stopped => StateName::Stopped,
            Self::Ended { .. } => StateName::Ended,
        }
    }

    /// Why it ended, if it did.
    #[must_use]
    pub const fn reason(&self) -> Option<EndReason> {
        match self {
            Self::Ended { reason, .. } => Some(*reason),
            _ => None,
        }
    }

    /// When it ended, if it did.
    #[must_use]
    pub const fn ended_at(&self) -> Option<OffsetDateTime> {
        match self {
            Self::Ended { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// When it must have left, if it was given notice.
    #[must_use]
    pub const fn notice_until(&self) -> Option<OffsetDateTime> {
        match self {
            Self::Notice { until, .. } => Some(*until),
            _ => None,
        }
    }

    /// Since when the tenant can use it, if it can now.
    #[must_use]
    pub const fn usable_at(&self) -> Option<OffsetDateTime> {
        match self {
            Self::Running { usable_at } => Some(*usable_at),
            Self::Notice { usable_at, .. } => *usable_at,
            _ => None,
        }
    }

    /// What is billed now. Compute begins when the tenant can use the rental and ends when it was asked to stop.
    #[must_use]
    pub const fn billing_class(&self) -> BillingClass {
        match self {
            Self::Running { .. } | Self::Notice { usable_at: Some(_), .. } => BillingClass::Compute,
            Self::Stopping | Self::Stopped => BillingClass::StorageOnly,
            Self::Pending
            | Self::Provisioning
            | Self::Pulling
            | Self::Starting
            | Self::Notice { usable_at: None, .. }
            | Self::Ended { .. } => BillingClass::Free,
        }
    }

    /// Whether it has devices under a lease.
    #[must_use]
    pub const fn has_devices(&self) -> bool {
        !matches!(self, Self::Pending | Self::Stopped | Self::Ended { .. })
    }

    /// Whether a workload should run for it. One that stops still has its devices until the node confirms.
    #[must_use]
    pub const fn wants_workload(&self) -> bool {
        self.has_devices() && !matches!(self, Self::Stopping)
    }

    /// Whether it is over.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }

    /// What the tenant can ask for right now. Only a rental at a posted price can pause: a bid or a job would lose its
    /// place in the market and comes back through it.
    #[must_use]
    pub fn actions(&self, kind: RentalKind) -> Vec<Action> {
        let mut actions = Vec::new();
        let usable = matches!(self, Self::Running { .. } | Self::Notice { usable_at: Some(_), .. });
        if usable {
            actions.push(Action::OpenShell);
        }
        if kind == RentalKind::OnDemand && self.stop().is_ok() {
            actions.push(Action::Stop);
        }
        if kind == RentalKind::OnDemand && self.place().is_ok() && *self != Self::Pending {
            actions.push(Action::Start);
        }
        if !self.is_ended() {
            actions.push(Action::End);
        }
        actions
    }

    /// Devices were given to it.
    pub const fn place(self) -> Result<Self, Refused> {
        match self {
            Self::Pending | Self::Stopped => Ok(Self::Provisioning),
            _ => Err(self.refused("be given devices")),
        }
    }

    /// It is started again and waits for devices.
    pub const fn wait(self) -> Result<Self, Refused> {
        match self {
            Self::Stopped => Ok(Self::Pending),
            _ => Err(self.refused("wait for devices")),
        }
    }

    /// The provider reports progress. News that is older than what is known changes nothing.
    pub fn observe(self, seen: Observation, now: OffsetDateTime) -> Result<Self, Refused> {
        match (self, seen) {
            (Self::Provisioning, Observation::Pulling) => Ok(Self::Pulling),
            (Self::Provisioning | Self::Pulling, Observation::Starting) => Ok(Self::Starting),
            (Self::Provisioning | Self::Pulling | Self::Starting, Observation::Usable) => {
                Ok(Self::Running { usable_at: now })
            }
            (Self::Pulling, Observation::Pulling)
            | (Self::Starting, Observation::Pulling | Observation::Starting)
            | (Self::Running { .. } | Self::Notice { .. }, _) => Ok(self),
            _ => Err(self.refused("be provisioned")),
        }
    }

    /// Its devices are promised to somebody else from `until` on. There is one notice: a second is refused.
    pub const fn give_notice(self, until: OffsetDateTime) -> Result<Self, Refused> {
        match self {
            Self::Running { usable_at } => Ok(Self::Notice { until, usable_at: Some(usable_at) }),
            Self::Provisioning | Self::Pulling | Self::Starting => Ok(Self::Notice { until, usable_at: None }),
            _ => Err(self.refused("be given notice")),
        }
    }

    /// The tenant stops it.
    pub const fn stop(self) -> Result<Self, Refused> {
        match self {
            Self::Running { .. } => Ok(Self::Stopping),
            _ => Err(self.refused("stop")),
        }
    }

    /// The node confirmed, or fell silent.
    pub const fn stopped(self) -> Result<Self, Refused> {
        match self {
            Self::Stopping => Ok(Self::Stopped),
            _ => Err(self.refused("have stopped")),
        }
    }

    /// It is over. Nothing ends twice.
    pub const fn end(self, reason: EndReason, at: OffsetDateTime) -> Result<Self, Refused> {
        match self {
            Self::Ended { .. } => Err(self.refused("end")),
            _ => Ok(Self::Ended { reason, at }),
        }
    }

    const fn refused(&self, wanted: &'static str) -> Refused {
        Refused { from: self.name(), wanted }
    }
}

macro_rules! names {
    ($name:ident[$count:literal] { $($variant:ident = $text:literal),+ $(,)? }) => {
        impl $name {
            /// All of them.
            pub const ALL: [Self; $count] = [$(Self::$variant),+];

            /// The name on the wire and in the database.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The one of that name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.as_str() == name)
            }
        }
    };
}

impl StateName {
    /// The event that tells that a rental is in this state.
    #[must_use]
    pub const fn event(self) -> &'static str {
        match self {
            Self::Pending => "rental.pending",
            Self::Provisioning => "rental.provisioning",
            Self::Pulling => "rental.pulling",
            Self::Starting => "rental.starting",
            Self::Running => "rental.running",
            Self::Stopping => "rental.stopping",
            Self::Stopped => "rental.stopped",
            Self::Notice => "rental.notice",
            Self::Ended => "rental.ended",
        }
    }
}

names!(StateName[9] {
    Pending = "pending",
    Provisioning = "provisioning",
    Pulling = "pulling",
    Starting = "starting",
    Running = "running",
    Stopping = "stopping",
    Stopped = "stopped",
    Notice = "notice",
    Ended = "ended",
});
names!(BillingClass[3] { Free = "free", Compute = "compute", StorageOnly = "storage_only" });
names!(RentalKind[3] { OnDemand = "on_demand", Bid = "bid", Job = "job" });
names!(Action[4] { Stop = "stop", Start = "start", End = "end", OpenShell = "open_shell" });

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
