//! The record of a round: canonical JSON, its place in a chain of hashes, and its replay.

use crate::plan::Plan;
use crate::steady::plan;
use crate::world::{At, PoolId, Rules, Snapshot};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Everything that decided a round, and what it decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// The pool.
    pub pool: PoolId,
    /// Number of the round in its pool, from 1.
    pub number: i64,
    /// The instant it was planned for.
    pub at: At,
    /// The seed it was given.
    pub seed: u64,
    /// The settings.
    pub rules: Rules,
    /// The world, in canonical order.
    pub snapshot: Snapshot,
    /// The outcome.
    pub plan: Plan,
}

/// Why a record does not replay.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The text is not the record of a round.
    #[error("the record cannot be read: {0}")]
    Malformed(#[from] serde_json::Error),
    /// Planning again gives another plan.
    #[error("round {number} was recorded with plan {recorded} and replays to plan {replayed}")]
    Differs {
        /// The round.
        number: i64,
        /// Hash of the recorded plan, in hexadecimal.
        recorded: String,
        /// Hash of the plan found now.
        replayed: String,
    },
    /// Planning again gives another plan, and the record was made by another meaning of the planning code.
    #[error(
        "round {number} was made by rules version {made_by} and this build has version {build}: recorded with plan {recorded}, it \
         replays to plan {replayed} here; whether it is true a build with rules version {made_by} can tell"
    )]
    OtherVersion {
        /// The round.
        number: i64,
        /// The version that the record carries.
        made_by: u32,
        /// The version of this build.
        build: u32,
        /// Hash of the recorded plan, in hexadecimal.
        recorded: String,
        /// Hash of the plan found now.
        replayed: String,
    },
}

impl RoundRecord {
    /// The record of a round that was just planned.
    #[must_use]
    pub fn new(snapshot: &Snapshot, rules: &Rules, now: At, seed: u64, plan: Plan) -> Self {
        Self {
            pool: snapshot.pool,
            number: snapshot.number,
            at: now,
            seed,
            rules: rules.clone(),
            snapshot: snapshot.clone().canonical(),
            plan,
        }
    }
}

/// Canonical JSON: fields in their declared order, lists in their one order, integers only, no blanks.
///
/// # Errors
/// Only for values that JSON cannot hold; none of this crate's are.
pub fn canonical<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string(value)
}

/// SHA-256 of a text.
#[must_use]
pub fn text_hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// SHA-256 over the previous round's hash and this round's record: the first round of a pool follows 32 zero bytes.
#[must_use]
pub fn chain_hash(previous: &[u8; 32], record_text: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(previous);
    hasher.update(record_text.as_bytes());
    hasher.finalize().into()
}

/// Plans a recorded round again and returns the plan if it is the recorded one.
///
/// # Errors
/// [`ReplayError`] when the text is not a record or the plan comes out differently.
pub fn replay(record_text: &str) -> Result<Plan, ReplayError> {
    let record: RoundRecord = serde_json::from_str(record_text)?;
    let again = plan(&record.snapshot, &record.rules, record.at, record.seed);
    if again == record.plan {
        return Ok(again);
    }
    let hash = |plan: &Plan| canonical(plan).map(|text| hex(&text_hash(&text)));
    let (number, made_by, build) = (record.number, record.rules.version, Rules::VERSION);
    let (recorded, replayed) = (hash(&record.plan)?, hash(&again)?);
    if made_by == build {
        return Err(ReplayError::Differs { number, recorded, replayed });
    }
    Err(ReplayError::OtherVersion { number, made_by, build, recorded, replayed })
}

/// Lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
