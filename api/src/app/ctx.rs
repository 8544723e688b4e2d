//! What every use case is handed.

use time::OffsetDateTime;

use super::Caller;
use crate::entropy::Entropy;
use crate::store::Tx;

/// One use case's transaction, its instant, its randomness and its caller.
pub struct Ctx<'a, C = Caller> {
    /// The one transaction. Committed by whoever opened it.
    pub tx: Tx,
    /// The instant of the call: the same for everything it writes.
    pub now: OffsetDateTime,
    /// Where identities and secrets come from.
    pub entropy: &'a dyn Entropy,
    /// Who asks.
    pub caller: C,
}

/// The caller of a use case that nobody needs to be authenticated for: signing up, logging in.
#[derive(Debug, Clone, Copy)]
pub struct Nobody;

impl<C> Ctx<'_, C> {
    /// A new identity, made at this call's instant.
    pub fn id<I: From<uuid::Uuid>>(&self) -> I {
        self.entropy.id(self.now)
    }
}
