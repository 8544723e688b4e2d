//! The one guarded write that moves rentals from state to state.

use time::OffsetDateTime;

use super::Rental;
use crate::rental::{BillingClass, RentalState};
use crate::store::{StoreError, Tx};

/// Writes the state that was decided, if the rental is still as it was loaded.
pub async fn transition(tx: &mut Tx, rental: &Rental, to: RentalState, now: OffsetDateTime) -> Result<(), StoreError> {
    transition_all(tx, &[(rental, to)], now).await
}

/// Writes the states that were decided, all or nothing. A meter starts when the new state bills compute and it stood
/// still, and stands still in every state that does not: what it had run up must have been billed before, in the same
/// transaction.
pub async fn transition_all(
    tx: &mut Tx,
    transitions: &[(&Rental, RentalState)],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if transitions.is_empty() {
        return Ok(());
    }
    let result = sqlx::query(
        "UPDATE rentals
         SET state = t.state, reason = t.reason, ended_at = t.ended_at, notice_until = t.notice_until,
             usable_at = coalesce(t.usable_at, rentals.usable_at),
             metered_to = CASE WHEN t.metered THEN coalesce(rentals.metered_to, t.usable_at) END,
             state_at = $10, version = rentals.version + 1
         FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[], $9::boolean[])
              AS t (id, expected, version, state, reason, ended_at, notice_until, usable_at, metered)
         WHERE rentals.id = t.id AND rentals.state = t.expected AND rentals.version = t.version",
    )
    .bind(transitions.iter().map(|(rental, _)| rental.id.uuid()).collect::<Vec<_>>())
    .bind(transitions.iter().map(|(rental, _)| rental.state.name().as_str()).collect::<Vec<_>>())
    .bind(transitions.iter().map(|(rental, _)| rental.version).collect::<Vec<_>>())
    .bind(transitions.iter().map(|(_, to)| to.name().as_str()).collect::<Vec<_>>())
    .bind(transitions.iter().map(|(_, to)| to.reason().map(|reason| reason.as_str())).collect::<Vec<_>>())
    .bind(transitions.iter().map(|(_, to)| to.ended_at()).collect::<Vec<_>>())
    .bind(transitions.iter().map(|(_, to)| to.notice_until()).collect::<Vec<_>>())
    .bind(transitions.iter().map(|(_, to)| to.usable_at()).collect::<Vec<_>>())
    .bind(transitions.iter().map(|(_, to)| to.billing_class() == BillingClass::Compute).collect::<Vec<_>>())
    .bind(now)
    .execute(tx.conn())
    .await?;
    match usize::try_from(result.rows_affected()) {
        Ok(touched) if touched == transitions.len() => Ok(()),
        _ => Err(StoreError::Stale { what: "rentals' transition", touched: result.rows_affected() }),
    }
}
