//! Access tokens whose signatures were verified lately: a caller presents the same token hundreds of times, and checking an
//! Ed25519 signature costs more than all else that a small request needs. Lives and dies with the keys it was checked by.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use sha2::{Digest as _, Sha256};

use super::Claims;
use crate::config::limits;

/// Claims by the hash of their token.
#[derive(Debug, Default)]
pub(super) struct VerifiedTokens(RwLock<HashMap<[u8; 32], Claims>>);

impl VerifiedTokens {
    /// The claims of a token that was verified before. Whether it has expired is for the caller to see.
    pub(super) fn get(&self, token: &str) -> Option<Claims> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&hash(token)).cloned()
    }

    /// Remembers a token whose signature is good.
    pub(super) fn add(&self, token: &str, claims: Claims) {
        let mut verified = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if verified.len() >= limits::TOKENS_REMEMBERED {
            verified.clear();
        }
        verified.insert(hash(token), claims);
    }
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
