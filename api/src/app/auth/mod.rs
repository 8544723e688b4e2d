//! How a caller proves who it is: passwords, access tokens and their signing keys, refresh tokens, API keys.
//!
//! What is decided here is who somebody is. What that allows is decided by `http::permission`.

mod api_keys;
mod authenticate;
mod claims;
mod email;
mod key_ring;
mod node_claims;
mod passwords;
mod refused;
mod session;
mod verified;

use std::sync::{Mutex, PoisonError};

use sqlx::PgPool;
use time::OffsetDateTime;

pub use api_keys::{ApiKeys, PREFIX as KEY_PREFIX};
pub use authenticate::CallerRefused;
pub use claims::{Claims, SignedClaims};
pub use email::Email;
pub use key_ring::{KeyRing, TokenError, make as make_signing_key};
pub use node_claims::NodeClaims;
pub use passwords::{Busy, Password, PasswordRefused, Passwords};
pub use refused::RefusedTokens;
pub use session::{Session, Subject, open};

use crate::config::limits;
use crate::entropy::Entropy;
use crate::store::{StoreError, Tx, refresh_tokens, signing_keys};

/// What authentication keeps in memory, shared by all requests of this process.
#[derive(Debug)]
pub struct Identity {
    /// The keys that sign and verify access tokens.
    pub keys: KeyRing,
    /// Access tokens that no longer count although they have not expired.
    pub refused: RefusedTokens,
    /// API keys that were presented lately.
    pub api_keys: ApiKeys,
    /// The bounded place where passwords are hashed.
    pub passwords: Passwords,
    followed_at: Mutex<OffsetDateTime>,
}

impl Identity {
    /// Loads the signing keys, making the first one where there is none.
    pub async fn load(db: &PgPool, entropy: &dyn Entropy, now: OffsetDateTime) -> Result<Self, StoreError> {
        let identity = Self {
            keys: KeyRing::load(db, entropy, now).await?,
            refused: RefusedTokens::default(),
            api_keys: ApiKeys::default(),
            passwords: Passwords::default(),
            followed_at: Mutex::new(now),
        };
        identity.follow(db, now).await?;
        Ok(identity)
    }

    /// Takes over what the database holds now: keys that were rotated and tokens that were refused by other servers.
    pub async fn follow(&self, db: &PgPool, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut tx = Tx::begin_snapshot(db).await?;
        self.keys.replace(signing_keys::all(&mut tx).await?, now)?;
        self.refused.add(refresh_tokens::refused(&mut tx, now).await?);
        self.refused.forget_expired(now);
        *self.followed_at.lock().unwrap_or_else(PoisonError::into_inner) = now;
        Ok(())
    }

    /// Whether the database may be asked again already: unknown keys in tokens must not become a load on it.
    fn may_follow(&self, now: OffsetDateTime) -> bool {
        now - *self.followed_at.lock().unwrap_or_else(PoisonError::into_inner) >= limits::UNKNOWN_KEY_PAUSE
    }
}
