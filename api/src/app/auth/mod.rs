//! How a caller proves who it is: passwords, access tokens and their signing keys, refresh tokens, API keys.
//!
//! What is decided here is who somebody is. What that allows is decided by `http::permission`.

mod claims;
mod email;
mod key_ring;
mod passwords;
mod session;

use sqlx::PgPool;
use time::OffsetDateTime;

pub use claims::Claims;
pub use email::Email;
pub use key_ring::{KeyRing, TokenError};
pub use passwords::{Busy, Password, PasswordRefused, Passwords};
pub use session::{Session, Subject, open};

use crate::entropy::Entropy;
use crate::store::StoreError;

/// What authentication keeps in memory, shared by all requests of this process.
#[derive(Debug)]
pub struct Identity {
    /// The keys that sign and verify access tokens.
    pub keys: KeyRing,
    /// The bounded place where passwords are hashed.
    pub passwords: Passwords,
}

impl Identity {
    /// Loads the signing keys, making the first one where there is none.
    pub async fn load(db: &PgPool, entropy: &dyn Entropy, now: OffsetDateTime) -> Result<Self, StoreError> {
        Ok(Self { keys: KeyRing::load(db, entropy, now).await?, passwords: Passwords::default() })
    }
}
