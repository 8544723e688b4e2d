//! The link of the chain: one small text per round that binds everything stored about it, without naming anybody.

use scheduler::record::{hex, text_hash};
use scheduler::world::At;
use scheduler::world::ids::{PoolId, RoundId};
use scheduler::{RoundRecord, canonical, chain_hash};
use serde::{Deserialize, Serialize};

use super::{Applied, Summary, public};

/// What the first round of a pool follows.
pub const GENESIS: [u8; 32] = [0; 32];

/// Why a round was cleared when it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RoundCause)]
pub enum Cause {
    /// The time between rounds was over.
    Timer,
    /// Devices became free.
    DeviceFreed,
    /// A job's entitlement fell a quantum behind.
    Starved,
    /// Somebody wants something new.
    Demand,
    /// An operator asked for it.
    Operator,
}

impl Cause {
    /// All causes.
    pub const ALL: [Self; 5] = [Self::Timer, Self::DeviceFreed, Self::Starved, Self::Demand, Self::Operator];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Timer => "timer",
            Self::DeviceFreed => "device_freed",
            Self::Starved => "starved",
            Self::Demand => "demand",
            Self::Operator => "operator",
        }
    }
}

/// A name that no cause has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such cause of a round")]
pub struct UnknownCause;

impl std::str::FromStr for Cause {
    type Err = UnknownCause;

    fn from_str(name: &str) -> Result<Self, UnknownCause> {
        Self::ALL.into_iter().find(|cause| cause.as_str() == name).ok_or(UnknownCause)
    }
}

/// Everything that is stored about a round, by value or by hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The round.
    pub id: RoundId,
    /// Its pool.
    pub pool: PoolId,
    /// Its number in the pool, from 1.
    pub number: i64,
    /// The instant it was planned for.
    pub at: At,
    /// Why it was cleared then.
    pub cause: Cause,
    /// The fencing token of the server that wrote it.
    pub fencing_token: i64,
    /// How long planning took.
    pub plan_millis: i32,
    /// SHA-256 of the plan's canonical JSON, in hexadecimal, as the other hashes.
    pub plan_hash: String,
    /// Of the record.
    pub record_hash: String,
    /// Of the public copy of the record.
    pub public_hash: String,
    /// Of what was applied.
    pub applied_hash: String,
    /// Of the summary.
    pub summary_hash: String,
}

impl Header {
    /// The header of a round that was just applied, beside the texts that it binds.
    pub fn new(
        id: RoundId,
        (cause, fencing_token, plan_millis): (Cause, i64, i32),
        record: &RoundRecord,
        applied: &Applied,
    ) -> serde_json::Result<(Self, Texts)> {
        let texts = Texts {
            record: canonical(record)?,
            applied: canonical(applied)?,
            summary: canonical(&Summary::of(&record.plan, applied))?,
        };
        let header = Self {
            id,
            pool: record.pool,
            number: record.number,
            at: record.at,
            cause,
            fencing_token,
            plan_millis,
            plan_hash: hex(&text_hash(&canonical(&record.plan)?)),
            record_hash: hex(&text_hash(&texts.record)),
            public_hash: hex(&text_hash(&public(&texts.record))),
            applied_hash: hex(&text_hash(&texts.applied)),
            summary_hash: hex(&text_hash(&texts.summary)),
        };
        Ok((header, texts))
    }

    /// The round's place in the chain.
    #[must_use]
    pub fn chain(previous: &[u8; 32], header_text: &str) -> [u8; 32] {
        chain_hash(previous, header_text)
    }
}

/// The texts that a header binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// The record.
    pub record: String,
    /// What was applied.
    pub applied: String,
    /// The summary.
    pub summary: String,
}
