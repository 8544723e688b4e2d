//! The one guarded write that moves a rental from state to state.

use time::OffsetDateTime;

use super::Rental;
use crate::rental::{BillingClass, RentalState};
use crate::store::tx::exactly_one;
use crate::store::{StoreError, Tx};

/// Writes the state that was decided, if the rental is still as it was loaded. The meter starts at `now` when the new
/// state bills compute and it stood still, and stands still in every state that does not: what it had run up must have
/// been billed before, in the same transaction.
pub async fn transition(tx: &mut Tx, rental: &Rental, to: &RentalState, now: OffsetDateTime) -> Result<(), StoreError> {
    let (reason, ended_at) = match to {
        RentalState::Ended { reason, at } => (Some(reason.as_str()), Some(*at)),
        _ => (None, None),
    };
    let notice_until = match to {
        RentalState::Notice { until, .. } => Some(*until),
        _ => None,
    };
    let usable_at = match to {
        RentalState::Running { usable_at } | RentalState::Notice { usable_at: Some(usable_at), .. } => Some(*usable_at),
        _ => None,
    };
    let result = sqlx::query(
        "UPDATE rentals
         SET state = $4, reason = $5, ended_at = $6, notice_until = $7, usable_at = coalesce($8, usable_at),
             metered_to = CASE WHEN $9 THEN coalesce(metered_to, $8) END, state_at = $10, version = version + 1
         WHERE id = $1 AND state = $2 AND version = $3",
    )
    .bind(rental.id.uuid())
    .bind(rental.state.name().as_str())
    .bind(rental.version)
    .bind(to.name().as_str())
    .bind(reason)
    .bind(ended_at)
    .bind(notice_until)
    .bind(usable_at)
    .bind(to.billing_class() == BillingClass::Compute)
    .bind(now)
    .execute(tx.conn())
    .await?;
    exactly_one("rental's transition", &result)
}
