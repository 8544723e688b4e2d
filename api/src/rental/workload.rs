//! A workload: what runs on a node for one epoch of a rental.

use scheduler::world::ids::{NodeId, RentalId};

use super::{ClientToken, Observation};

/// What is known about a workload, in the order in which it comes to pass. News that is earlier in this order than what
/// is known is old news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Observed {
    /// Nobody has seen it yet.
    Unseen,
    /// Its node fetches what it needs.
    Pulling,
    /// Its node starts it.
    Starting,
    /// It can be used.
    Running,
    /// Its command finished.
    Exited,
    /// It could not start, or something other than its command ended it.
    Failed,
}

impl Observed {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Unseen, Self::Pulling, Self::Starting, Self::Running, Self::Exited, Self::Failed];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unseen => "unseen",
            Self::Pulling => "pulling",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Exited => "exited",
            Self::Failed => "failed",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.as_str() == name)
    }

    /// The progress of the rental that this is, if it is progress.
    #[must_use]
    pub const fn progress(self) -> Option<Observation> {
        match self {
            Self::Pulling => Some(Observation::Pulling),
            Self::Starting => Some(Observation::Starting),
            Self::Running => Some(Observation::Usable),
            Self::Unseen | Self::Exited | Self::Failed => None,
        }
    }
}

/// A workload to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Makes the call idempotent.
    pub token: ClientToken,
    /// Where.
    pub node: NodeId,
    /// On which devices, as their driver calls them.
    pub devices: Vec<String>,
    /// What to run, if anything.
    pub command: Option<String>,
}

impl Order {
    /// For which rental.
    #[must_use]
    pub const fn rental(&self) -> RentalId {
        self.token.rental
    }
}

/// What a provider says about a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighting {
    /// Which.
    pub token: ClientToken,
    /// How it fares; `None` when the provider has nothing of that name.
    pub seen: Option<Observed>,
}
