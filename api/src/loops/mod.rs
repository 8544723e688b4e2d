//! What happens without a request. A loop has no input and no memory: its step looks at the database, does one bounded
//! piece of work and commits it; it may run twice, at once on two servers, or die in the middle.
//!
//! Each loop is a file with `pub async fn step(state: &State) -> Result<Step, LoopError>`. It runs when its period is
//! over and when it is woken; tests call `step` by hand.

mod board;
pub mod credentials;
mod driver;
pub mod expiry;
pub mod invariants;
pub mod liveness;
pub mod metering;
mod others;
pub mod provision;
pub mod reconcile;
pub mod relay;
pub mod retention;
pub mod round;
mod wake;

pub use board::{Board, Report};
pub use driver::Loops;
pub use others::listen as listen_to_others;
pub use wake::Wake;

use tokio_util::sync::CancellationToken;

use crate::State;
use crate::config::limits;
use crate::store::StoreError;

/// The loops, by the names that metrics and the overview show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoopName {
    /// Clears the pools that this server leads.
    Round,
    /// Makes the providers' reality match the leases.
    Provision,
    /// Compares what runs with what should.
    Reconcile,
    /// Bills what is used.
    Metering,
    /// Holds the money against what must always be true of it.
    Invariants,
    /// Finds nodes that went silent.
    Liveness,
    /// Ends what has run out of time.
    Expiry,
    /// Keeps authentication in step with the database.
    Credentials,
    /// Forgets what has ended long ago.
    Retention,
    /// Numbers committed events and fans them out.
    Relay,
}

impl LoopName {
    /// All loops.
    pub const ALL: [Self; 10] = [
        Self::Round,
        Self::Provision,
        Self::Reconcile,
        Self::Metering,
        Self::Invariants,
        Self::Liveness,
        Self::Expiry,
        Self::Credentials,
        Self::Retention,
        Self::Relay,
    ];

    /// The name in metrics and in the overview.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Round => "round",
            Self::Provision => "provision",
            Self::Reconcile => "reconcile",
            Self::Metering => "metering",
            Self::Invariants => "invariants",
            Self::Liveness => "liveness",
            Self::Expiry => "expiry",
            Self::Credentials => "credentials",
            Self::Retention => "retention",
            Self::Relay => "relay",
        }
    }
}

/// What a step found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Nothing to do until the next period or signal.
    Idle,
    /// Something was done, and there may be more: run again at once.
    Worked,
}

/// Why a step failed. It will be tried again, later and later.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something else failed.
    #[error("{0}")]
    Failed(String),
}

impl LoopError {
    /// A failure outside of the store, in a sentence.
    pub fn failed(error: impl ToString) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Starts every loop, each in a task of its own, until `shutdown`. Await [`Loops::stopped`] before closing the database.
#[must_use]
pub fn spawn_all(state: &State, shutdown: CancellationToken) -> Loops {
    let mut loops = Loops::new(state.clone(), shutdown);
    loops.spawn(LoopName::Round, limits::ROUND_PERIOD, |state| Box::pin(round::step(state)));
    loops.spawn(LoopName::Metering, limits::METERING_PERIOD, |state| Box::pin(metering::step(state)));
    loops.spawn(LoopName::Invariants, limits::INVARIANTS_PERIOD, |state| Box::pin(invariants::step(state)));
    loops.spawn(LoopName::Provision, limits::PROVISION_PERIOD, |state| Box::pin(provision::step(state)));
    loops.spawn(LoopName::Reconcile, limits::RECONCILE_PERIOD, |state| Box::pin(reconcile::step(state)));
    loops.spawn(LoopName::Liveness, limits::LIVENESS_PERIOD, |state| Box::pin(liveness::step(state)));
    loops.spawn(LoopName::Expiry, limits::EXPIRY_PERIOD, |state| Box::pin(expiry::step(state)));
    loops.spawn(LoopName::Credentials, limits::CREDENTIALS_PERIOD, |state| Box::pin(credentials::step(state)));
    loops.spawn(LoopName::Relay, limits::RELAY_PERIOD, |state| Box::pin(relay::step(state)));
    loops.spawn(LoopName::Retention, limits::RETENTION_PERIOD, |state| Box::pin(retention::step(state)));
    loops.listen_to_others();
    loops
}
