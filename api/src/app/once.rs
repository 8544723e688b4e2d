//! Idempotency: an operation that moves money or capacity happens once per key, and its reply is repeated.

use std::borrow::Cow;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::Ctx;
use crate::store::StoreError;
use crate::store::idempotency::{self, Record};

/// An `Idempotency-Key`: 1 to 200 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Checks the characters and the length.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let valid = (1..=200).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        valid.then(|| Self(text.to_owned()))
    }

    /// The key as the caller wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What makes two calls the same call: the operation and its parsed input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    operation: Cow<'static, str>,
    hash: [u8; 32],
}

impl Fingerprint {
    /// The fingerprint of an operation's parsed input. Spacing and the order of fields do not matter.
    pub fn of(operation: impl Into<Cow<'static, str>>, input: &impl Serialize) -> Self {
        let canonical = serde_json::to_vec(input).expect("an input is plain data");
        Self { operation: operation.into(), hash: Sha256::digest(canonical).into() }
    }

    /// What is kept under the key of this call.
    #[must_use]
    pub fn record(&self, reply: &Reply) -> Record {
        Record {
            operation: self.operation.clone().into_owned(),
            fingerprint: self.hash.to_vec(),
            status: i32::from(reply.status),
            reply: reply.body.clone(),
        }
    }

    /// The reply in a record, if the record is of this very call.
    pub fn reply_in(&self, record: Record) -> Result<Reply, OnceError> {
        if record.operation != self.operation || record.fingerprint != self.hash {
            return Err(OnceError::Reused);
        }
        let status = u16::try_from(record.status)
            .map_err(|_| StoreError::corrupt("idempotency record", format!("status {}", record.status)))?;
        Ok(Reply { status, body: record.reply, replayed: true })
    }
}

/// The reply of an operation: what is answered now and under the same key for `limits::REPLIES_KEPT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// JSON body.
    pub body: String,
    /// Whether this reply was kept from an earlier call.
    pub replayed: bool,
}

impl Reply {
    /// A fresh reply.
    pub fn new(status: u16, view: &impl Serialize) -> Self {
        let body = serde_json::to_string(view).expect("a view is plain data");
        Self { status, body, replayed: false }
    }
}

/// Why an operation did not happen under its key.
#[derive(Debug, thiserror::Error)]
pub enum OnceError {
    /// The key was used for something else.
    #[error("this Idempotency-Key was used with another request; use a new key for a new request")]
    Reused,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The reply kept under the key, if this very call was answered before.
pub async fn replay(ctx: &mut Ctx<'_>, key: &Key, fingerprint: &Fingerprint) -> Result<Option<Reply>, OnceError> {
    let found = idempotency::find(&mut ctx.tx, ctx.caller.organisation, key.as_str()).await?;
    found.map(|record| fingerprint.reply_in(record)).transpose()
}

/// Keeps a fresh reply under the key, in the operation's own transaction.
pub async fn keep(ctx: &mut Ctx<'_>, key: &Key, fingerprint: &Fingerprint, reply: &Reply) -> Result<(), OnceError> {
    let record = fingerprint.record(reply);
    Ok(idempotency::keep(&mut ctx.tx, ctx.caller.organisation, key.as_str(), &record, ctx.now).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_visible_ascii_of_bounded_length() {
        assert!(Key::parse("a").is_some());
        assert!(Key::parse(&"k".repeat(200)).is_some());
        for refused in ["", "with space", "with\nnewline", "naïve", &"k".repeat(201)] {
            assert!(Key::parse(refused).is_none(), "{refused:?}");
        }
    }

    #[test]
    fn the_same_body_for_another_operation_is_another_call() {
        assert_ne!(Fingerprint::of("place_bid", &1), Fingerprint::of("place_job", &1));
    }
}
