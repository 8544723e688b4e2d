//! The door to randomness: identities and secrets are made here and nowhere else.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

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

    /// A number that grows by one with every call, and starts again after the largest.
    fn tick(&self) -> u32;
}

impl dyn Entropy {
    /// A new identity whose order follows `now` (`UUIDv7`) and, within a millisecond, the order in which this process
    /// asked for it: what it writes in a row is read back in that row's order.
    pub fn id<I: From<Uuid>>(&self, now: OffsetDateTime) -> I {
        let mut random = [0; 10];
        self.fill(&mut random);
        // 26 bits of order around the bits that the format claims for itself; 48 random bits remain.
        let order = self.tick() << 6;
        let [a, b, c, d] = order.to_be_bytes();
        random[0] = a >> 4;
        random[1] = (a << 4) | (b >> 4);
        random[2] = ((b & 0x0f) << 2) | (c >> 6);
        random[3] = (c << 2) | (d >> 6);
        I::from(Builder::from_unix_timestamp_millis(millis(now), &random).into_uuid())
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

/// The least identity that can be made at that instant: what was made before it is smaller.
#[must_use]
pub fn least_id(at: OffsetDateTime) -> Uuid {
    Builder::from_unix_timestamp_millis(millis(at), &[0; 10]).into_uuid()
}

fn millis(at: OffsetDateTime) -> u64 {
    u64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or(0)
}

/// The operating system's randomness.
#[derive(Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        OsRng.try_fill_bytes(bytes).expect("the operating system has randomness");
    }

    fn tick(&self) -> u32 {
        static TICKS: AtomicU32 = AtomicU32::new(0);
        TICKS.fetch_add(1, Ordering::Relaxed)
    }
}

/// Reproducible bytes, for tests.
#[derive(Debug)]
pub struct SeededEntropy {
    random: Mutex<StdRng>,
    ticks: AtomicU32,
}

impl SeededEntropy {
    /// The same seed gives the same bytes in the same order.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Mutex::new(StdRng::seed_from_u64(seed)), ticks: AtomicU32::new(0) }
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        self.random.lock().expect("no panic while filling").fill_bytes(bytes);
    }

    fn tick(&self) -> u32 {
        self.ticks.fetch_add(1, Ordering::Relaxed)
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
        let between = least_id(now + time::Duration::milliseconds(1));
        assert!(earlier < between && between <= later);
    }

    #[test]
    fn within_a_millisecond_identities_follow_the_order_they_were_made_in() {
        let entropy: &dyn Entropy = &SeededEntropy::new(7);
        let now = OffsetDateTime::UNIX_EPOCH + time::Duration::days(20_000);
        let made: Vec<Uuid> = (0..5_000).map(|_| entropy.id(now)).collect();
        assert!(made.is_sorted());
        assert!(made.iter().all(|id| id.get_version_num() == 7 && id.get_variant() == uuid::Variant::RFC4122));
    }
}
