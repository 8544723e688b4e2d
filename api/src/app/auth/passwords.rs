//! Hashing passwords, off the threads that serve requests and never too many at once.
//!
//! One hash takes 19 MiB and tens of milliseconds of a core. Without a bound, a few hundred log-ins at the same moment
//! would exhaust memory; with it they wait in a queue, and beyond the queue they are asked to come back.

use std::sync::{Arc, OnceLock};

use argon2::password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use crate::config::limits;
use crate::entropy::{Entropy, Secret};

/// A password that somebody typed: 10 to 200 characters, whatever they are.
#[derive(Debug, Clone)]
pub struct Password(Secret);

/// Why a password cannot be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a password has 10 to 200 characters; a sentence is easier to remember than a riddle")]
pub struct PasswordRefused;

impl Password {
    /// A password that is being chosen.
    pub fn chosen(text: &str) -> Result<Self, PasswordRefused> {
        if (10..=200).contains(&text.chars().count()) { Ok(Self::presented(text)) } else { Err(PasswordRefused) }
    }

    /// A password that is being compared with the chosen one.
    #[must_use]
    pub fn presented(text: &str) -> Self {
        Self(Secret::presented(text))
    }
}

/// Too many people are logging in at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many people are logging in at this moment; try again in a few seconds")]
pub struct Busy;

/// The bounded place where passwords are hashed.
#[derive(Debug)]
pub struct Passwords {
    running: Arc<Semaphore>,
    queue: Semaphore,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { running: Arc::new(Semaphore::new(cores)), queue: Semaphore::new(limits::PASSWORDS_WAITING) }
    }
}

impl Passwords {
    /// The hash to store for a new password.
    pub async fn hash(&self, password: Password, entropy: &dyn Entropy) -> Result<String, Busy> {
        let mut salt = [0; 16];
        entropy.fill(&mut salt);
        self.run(move || hash(&password, salt)).await
    }

    /// Whether the password is the one behind the hash. Without a hash (nobody has that address) the same work is done,
    /// so that the time an answer takes does not tell who has an account.
    pub async fn verify(&self, password: Password, stored: Option<String>) -> Result<bool, Busy> {
        self.run(move || match stored {
            Some(stored) => matches(&password, &stored),
            None => {
                matches(&password, decoy());
                false
            }
        })
        .await
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Busy> {
        let _waiting = self.queue.try_acquire().map_err(|_| Busy)?;
        let running = Arc::clone(&self.running).acquire_owned().await.map_err(|_| Busy)?;
        // The permit goes along: when the client hangs up, the hash is computed to its end all the same.
        let work = move || (work(), running).0;
        tokio::task::spawn_blocking(work).await.map_err(|_| Busy)
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(19 * 1024, 2, 1, None).expect("the recommended parameters are valid");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &Password, salt: [u8; 16]) -> String {
    let salt = SaltString::encode_b64(&salt).expect("16 bytes are a salt");
    let hash = argon2().hash_password(password.0.reveal().as_bytes(), &salt).expect("any bytes can be hashed");
    hash.to_string()
}

fn matches(password: &Password, stored: &str) -> bool {
    PasswordHash::new(stored)
        .is_ok_and(|stored| argon2().verify_password(password.0.reveal().as_bytes(), &stored).is_ok())
}

/// The hash that is compared with when nobody has the address.
fn decoy() -> &'static str {
    static DECOY: OnceLock<String> = OnceLock::new();
    DECOY.get_or_init(|| hash(&Password::presented("nobody's password"), [0; 16]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    #[tokio::test]
    async fn a_hash_matches_its_password_and_no_other() {
        let passwords = Passwords::default();
        let chosen = Password::chosen("correct horse battery staple").unwrap();
        let stored = passwords.hash(chosen.clone(), &SeededEntropy::new(1)).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(passwords.verify(chosen, Some(stored.clone())).await.unwrap());
        assert!(!passwords.verify(Password::presented("correct horse"), Some(stored)).await.unwrap());
    }

    #[tokio::test]
    async fn nobody_has_no_password_not_even_the_decoys() {
        assert!(!Passwords::default().verify(Password::presented("nobody's password"), None).await.unwrap());
    }

    #[test]
    fn length_is_the_only_rule() {
        assert!(Password::chosen("ten chars!").is_ok());
        assert!(Password::chosen("пароль-пароль").is_ok());
        assert!(Password::chosen("nine char").is_err());
        assert!(Password::chosen(&"x".repeat(201)).is_err());
    }
}
