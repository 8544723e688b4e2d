//! Promised finish times are settled when their time has passed, or their job is over: kept, void, or missed. A missed one
//! returns a part of what the job paid, in one transaction with the evidence and with what is told.

use std::collections::BTreeSet;

use serde_json::json;
use time::OffsetDateTime;

use super::meter_rentals::meter_rentals;
use crate::clock::rfc3339;
use crate::entropy::Entropy;
use crate::job::{Evidence, PromiseState};
use crate::ledger::refund;
use crate::store::events::NewEvent;
use crate::store::promises::{self, Due};
use crate::store::{StoreError, Tx, events, ledger};

/// Promises that one transaction settles.
const TOGETHER: i64 = 50;

/// Settles what is due; returns how many. There may be more when it is not zero. Two servers may do it at once: the second waits, and
/// finds them settled.
pub async fn settle_promises(tx: &mut Tx, entropy: &dyn Entropy, now: OffsetDateTime) -> Result<usize, StoreError> {
    let rentals = promises::due_rentals(tx, now, TOGETHER).await?;
    meter_rentals(tx, entropy, &rentals, now, now).await?;
    let due = promises::lock_due(tx, now, TOGETHER).await?;
    for due in &due {
        match verdict(due) {
            PromiseState::Missed => miss(tx, entropy, due, now).await?,
            state => promises::settle(tx, due.job, state, None, now).await?,
        }
    }
    Ok(due.len())
}

/// What became of a promise that is due.
fn verdict(due: &Due) -> PromiseState {
    let closed_in_time = due.closed_at.is_some_and(|closed_at| closed_at <= due.finish_by);
    match due.closed_at {
        _ if due.done >= due.work && due.closed_at.is_none() => PromiseState::Kept,
        Some(_) if closed_in_time && due.completed => PromiseState::Kept,
        Some(_) if closed_in_time => PromiseState::Void,
        _ => PromiseState::Missed,
    }
}

async fn miss(tx: &mut Tx, entropy: &dyn Entropy, due: &Due, now: OffsetDateTime) -> Result<(), StoreError> {
    let faults = promises::faults(tx, due).await?;
    let at_fault: BTreeSet<_> = faults.iter().map(|fault| fault.provider).collect();
    let at_fault: Vec<_> = at_fault.into_iter().collect();
    let amount = refund::refund(due.paid, due.work, due.done);
    let can_give = promises::lock_earned(tx, due, &at_fault).await?;
    let given_back = refund::given_back(amount, &can_give);
    let evidence = Evidence {
        work: due.work,
        done: due.done,
        paid: due.paid,
        rounds: promises::rounds(tx, due).await?,
        faults,
        given_back,
    };
    let reason = reason(due);
    let transfer = refund::transfer(due.job, due.organisation, amount, &evidence.given_back, &reason);
    let posted = match transfer {
        Some(transfer) => {
            let id = entropy.id(now);
            ledger::post(tx, id, &transfer, &due.currency, now).await?;
            Some(id)
        }
        None => None,
    };
    promises::settle(tx, due.job, PromiseState::Missed, Some((&evidence, amount, posted)), now).await?;
    let body = json!({
        "promise": "missed", "finish_by": rfc3339(due.finish_by), "refund": amount.to_string(), "currency": due.currency,
        "transfer_id": posted, "work_milliunits": due.work, "done_milliunits": due.done,
    });
    let mut told = vec![NewEvent {
        id: entropy.id(now),
        organisation: Some(due.organisation),
        provider: None,
        pool: None,
        kind: "job.promise_missed",
        subject: due.job.to_string(),
        body,
    }];
    let owners = promises::organisations(tx, &at_fault).await?;
    for (provider, amount) in &evidence.given_back {
        told.push(NewEvent {
            id: entropy.id(now),
            organisation: owners.get(provider).copied(),
            provider: Some(*provider),
            pool: None,
            kind: "provider.gave_back",
            subject: provider.to_string(),
            body: json!({"amount": amount.to_string(), "currency": due.currency, "transfer_id": posted, "reason": reason}),
        });
    }
    events::record(tx, &told, now).await
}

/// The reason that the ledger keeps.
fn reason(due: &Due) -> String {
    let done = crate::job::fraction(due.done, due.work);
    format!("promised to be finished by {}, when {done} of the work was done", rfc3339(due.finish_by))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scheduler::world::Micros;
    use time::Duration;

    fn due(completed: bool, closed: Option<i64>, done: i64) -> Due {
        let id = uuid::Uuid::nil();
        let finish_by = OffsetDateTime::UNIX_EPOCH + Duration::hours(1);
        Due {
            job: id.into(),
            organisation: id.into(),
            pool: id.into(),
            currency: "USD".to_owned(),
            finish_by,
            completed,
            closed_at: closed.map(|seconds| finish_by + Duration::seconds(seconds)),
            work: 100,
            done,
            paid: Micros::new(1),
        }
    }

    #[test]
    fn a_promise_is_kept_missed_or_void() {
        for (completed, closed, done, verdict_is) in [
            (true, Some(-1), 100, PromiseState::Kept),
            (true, Some(0), 100, PromiseState::Kept),
            (true, Some(1), 100, PromiseState::Missed),
            (false, Some(-1), 40, PromiseState::Void),
            (false, Some(1), 40, PromiseState::Missed),
            (false, None, 99, PromiseState::Missed),
            (false, None, 100, PromiseState::Kept),
        ] {
            assert_eq!(verdict(&due(completed, closed, done)), verdict_is, "{completed} {closed:?} {done}");
        }
    }
}
