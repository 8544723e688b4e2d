//! How a promised finish time looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::job::{Evidence, Promise, PromiseState, Unit, fraction, spell_work};

/// By when a job was promised to be finished, and what became of that.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Promise)]
pub struct PromiseView {
    /// When the work is done at the latest.
    #[serde(with = "wire::timestamp")]
    pub finish_by: OffsetDateTime,
    /// Where it stands.
    pub state: PromiseState,
    /// When that was decided.
    #[serde(with = "wire::timestamp::option")]
    pub settled_at: Option<OffsetDateTime>,
    /// What returned to the wallet because it was missed.
    #[schema(example = "4.20")]
    pub refund: String,
    /// The transfer that returned it.
    #[schema(example = "trf_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub transfer_id: Option<String>,
    /// What was found when it was missed.
    pub evidence: Option<PromiseEvidenceView>,
}

/// What was found of a job whose promise was missed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PromiseEvidence)]
pub struct PromiseEvidenceView {
    /// Work that was done by the promised time.
    #[schema(example = "31250.5")]
    pub done: String,
    /// Which part of all the work that was, from 0 to 1.
    #[schema(example = "0.347227")]
    pub progress: String,
    /// What the job had paid.
    #[schema(example = "12.75")]
    pub paid: String,
    /// The first round that the job was in.
    #[schema(example = 4711)]
    pub first_round: Option<i64>,
    /// The last round before the promised time. The records of both and of those between can be replayed.
    #[schema(example = 4753)]
    pub last_round: Option<i64>,
    /// Rentals of the job that their providers lost.
    pub faults: Vec<PromiseFaultView>,
}

/// A rental that its provider lost.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PromiseFault)]
pub struct PromiseFaultView {
    /// Which rental.
    #[schema(example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub rental_id: String,
    /// Why it ended.
    #[schema(example = "node_lost")]
    pub reason: String,
}

impl PromiseView {
    /// The view of a promise to a job whose work is counted in `unit`.
    #[must_use]
    pub fn new(promise: Promise, unit: Unit) -> Self {
        Self {
            finish_by: promise.finish_by,
            state: promise.state,
            settled_at: promise.settled_at,
            refund: promise.refund.to_string(),
            transfer_id: promise.transfer.map(|id| id.to_string()),
            evidence: promise.evidence.map(|evidence| PromiseEvidenceView::new(&evidence, unit)),
        }
    }
}

impl PromiseEvidenceView {
    fn new(evidence: &Evidence, unit: Unit) -> Self {
        let fault = |fault: &crate::job::Fault| PromiseFaultView {
            rental_id: fault.rental.to_string(),
            reason: fault.reason.clone(),
        };
        Self {
            done: spell_work(evidence.done, unit),
            progress: fraction(evidence.done, evidence.work),
            paid: evidence.paid.to_string(),
            first_round: evidence.rounds.map(|(first, _)| first),
            last_round: evidence.rounds.map(|(_, last)| last),
            faults: evidence.faults.iter().map(fault).collect(),
        }
    }
}
