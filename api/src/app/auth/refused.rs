//! Access tokens that no longer count although they are signed and have not expired: their log-in was ended, or the
//! person's role has changed. A handful at any moment, for ten minutes each.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

use time::OffsetDateTime;
use uuid::Uuid;

use crate::config::limits;

/// The refused tokens by their `jti`.
#[derive(Debug, Default)]
pub struct RefusedTokens(RwLock<BTreeSet<Uuid>>);

impl RefusedTokens {
    /// Refuses tokens from now on. The other servers learn of it from the database within seconds.
    pub fn add(&self, tokens: impl IntoIterator<Item = Uuid>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).extend(tokens);
    }

    /// Whether a token is refused.
    #[must_use]
    pub fn contains(&self, token: Uuid) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains(&token)
    }

    /// Forgets tokens that have expired anyway.
    pub fn forget_expired(&self, now: OffsetDateTime) {
        let earliest = u64::try_from((now - limits::ACCESS_TOKEN).unix_timestamp()).unwrap_or(0);
        self.0
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|token| token.get_timestamp().is_some_and(|issued| issued.to_unix().0 >= earliest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::{Entropy, SeededEntropy};

    #[test]
    fn a_token_is_refused_until_it_has_expired() {
        let entropy: &dyn Entropy = &SeededEntropy::new(1);
        let issued = OffsetDateTime::UNIX_EPOCH + time::Duration::days(20_000);
        let token: Uuid = entropy.id(issued);
        let refused = RefusedTokens::default();
        refused.add([token]);
        refused.forget_expired(issued + limits::ACCESS_TOKEN);
        assert!(refused.contains(token));
        refused.forget_expired(issued + limits::ACCESS_TOKEN + time::Duration::seconds(1));
        assert!(!refused.contains(token));
    }
}
