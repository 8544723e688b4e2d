//! The door to randomness: identities and secrets are made here and nowhere else.

use std::fmt;
use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::rngs::{OsRng, StdRng};
use rand::{RngCore as _, SeedableRng as _, TryRngCore as _};
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use uuid::{Builder, Uuid};

/// A source of unpredictable bytes.
pub trait Entropy: Send + Sync + 'static {
    /// Fills the buffer.
    fn fill(&self, bytes: &mut [u8]);
}

impl dyn Entropy {
    /// A new identity whose order follows `now` (`UUIDv7`).
    pub fn id<I: From<Uuid>>(&self, now: OffsetDateTime) -> I {
        let mut random = [0; 10];
        self.fill(&mut random);
        let millis = u64::try_from(now.unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
        I::from(Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
    }

    /// A new secret of 256 bits, written as `prefix` and 43 characters.
    pub fn secret(&self, prefix: &str) -> Secret {
        let mut random = [0; 32];
        self.fill(&mut random);
        Secret(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(random)))
    }

    /// A number to seed a round with. Stored with the round, so that it can be replayed.
    pub fn seed(&self) -> u64 {
        let mut random = [0; 8];
        self.fill(&mut random);
        u64::from_le_bytes(random)
    }
}

/// The operating system's randomness.
#[derive(Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        OsRng.try_fill_bytes(bytes).expect("the operating system has randomness");
    }
}

/// Reproducible bytes, for tests.
#[derive(Debug)]
pub struct SeededEntropy(Mutex<StdRng>);

impl SeededEntropy {
    /// The same seed gives the same bytes in the same order.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(StdRng::seed_from_u64(seed)))
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        self.0.lock().expect("no panic while filling").fill_bytes(bytes);
    }
}

/// A secret in clear, on its way to the one person who may see it. Never logged, never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A secret that a caller presented.
    #[must_use]
    pub fn presented(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The clear text. Every call of this is a place to review.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored. Secrets have 256 bits, so a plain hash cannot be searched; passwords are another matter.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_never_shows_in_debug_output() {
        let entropy: &dyn Entropy = &SystemEntropy;
        let secret = entropy.secret("souk_");
        assert!(!format!("{secret:?}").contains(&secret.reveal()[5..]));
    }

    #[test]
    fn identities_follow_time() {
        let entropy: &dyn Entropy = &SeededEntropy::new(7);
        let now = OffsetDateTime::UNIX_EPOCH + time::Duration::days(20_000);
        let earlier: Uuid = entropy.id(now);
        let later: Uuid = entropy.id(now + time::Duration::milliseconds(1));
        assert!(earlier < later);
    }
}
