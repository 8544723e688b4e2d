//! Whether a stored round is what was decided: every column against the header, the header against the chain, the plan
//! against a replay of its snapshot.

use scheduler::record::{hex, text_hash};
use scheduler::world::At;
use scheduler::world::ids::{PoolId, RoundId};
use scheduler::{RoundRecord, canonical, replay};

use super::{Applied, Header, Summary, public};

/// A round as it lies in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Identity.
    pub id: RoundId,
    /// The pool.
    pub pool: PoolId,
    /// The number.
    pub number: i64,
    /// When it was cleared.
    pub cleared_at: At,
    /// Why then, as stored.
    pub cause: String,
    /// Who wrote it.
    pub fencing_token: i64,
    /// How long planning took.
    pub plan_millis: i32,
    /// The summary, in whatever spelling the database keeps it.
    pub summary: serde_json::Value,
    /// What was applied.
    pub applied: String,
    /// The record.
    pub record: String,
    /// The header.
    pub header: String,
    /// Hash of the plan.
    pub plan_hash: Vec<u8>,
    /// Hash of the round before.
    pub previous_hash: Vec<u8>,
    /// This round's hash.
    pub hash: Vec<u8>,
}

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{pool} round {number}: {what}")]
pub struct Finding {
    /// The pool.
    pub pool: PoolId,
    /// The round.
    pub number: i64,
    /// What is wrong, in words.
    pub what: String,
}

/// Checks one round by itself: its texts, its columns, its replay. Its place in the chain is checked by whoever reads the
/// rounds in order. Returns the record and what was applied, for checks against other tables, as far as they can be read.
#[must_use]
pub fn check(stored: &Stored) -> (Vec<Finding>, Option<(RoundRecord, Applied)>) {
    let mut findings = Vec::new();
    let mut find = |what: String| findings.push(Finding { pool: stored.pool, number: stored.number, what });
    let parts = match read(stored) {
        Ok(parts) => parts,
        Err(what) => {
            find(what);
            return (findings, None);
        }
    };
    for what in differences(stored, &parts) {
        find(what);
    }
    if let Err(error) = replay(&stored.record) {
        find(error.to_string());
    }
    (findings, Some((parts.record, parts.applied)))
}

struct Parts {
    header: Header,
    record: RoundRecord,
    applied: Applied,
    summary: Summary,
}

fn read(stored: &Stored) -> Result<Parts, String> {
    Ok(Parts {
        header: parse("header", &stored.header)?,
        record: parse("record", &stored.record)?,
        applied: parse("list of what was applied", &stored.applied)?,
        summary: serde_json::from_value(stored.summary.clone())
            .map_err(|error| format!("the summary cannot be read: {error}"))?,
    })
}

fn parse<T: serde::de::DeserializeOwned>(what: &str, text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("the {what} cannot be read: {error}"))
}

fn differences(stored: &Stored, parts: &Parts) -> Vec<String> {
    let Parts { header, record, applied, summary } = parts;
    let same = |what: &str, equal: bool| (!equal).then(|| format!("{what} is not the one in the header"));
    let hashed = |text: &str| hex(&text_hash(text));
    let rewritten = |value: serde_json::Result<String>| value.map(|text| hashed(&text)).unwrap_or_default();
    [
        same("the id", stored.id == header.id),
        same("the pool", stored.pool == header.pool && record.pool == header.pool),
        same("the number", stored.number == header.number && record.number == header.number),
        same("the time", stored.cleared_at == header.at && record.at == header.at),
        same("the cause", stored.cause == header.cause.as_str()),
        same("the fencing token", stored.fencing_token == header.fencing_token),
        same("the planning time", stored.plan_millis == header.plan_millis),
        same("the stored plan hash", hex(&stored.plan_hash) == header.plan_hash),
        same("the plan", rewritten(canonical(&record.plan)) == header.plan_hash),
        same("the record", hashed(&stored.record) == header.record_hash),
        same("the public record", hashed(&public(&stored.record)) == header.public_hash),
        same("the list of what was applied", hashed(&stored.applied) == header.applied_hash),
        same("the summary", rewritten(canonical(summary)) == header.summary_hash),
        (*summary != Summary::of(&record.plan, applied)).then(|| "the summary is not the plan's".to_owned()),
        (canonical(header).ok().as_deref() != Some(&stored.header)).then(|| "the header is not canonical".to_owned()),
    ]
    .into_iter()
    .flatten()
    .collect()
}
