//! Holds' rows. Whatever changes a hold posts the transfer that moves the money in the same call, so that the sum of an
//! organisation's holds and its held balance never part.

use scheduler::world::DemandId;
use scheduler::world::ids::{HoldId, OrganisationId, TransferId};
use scheduler::world::money::Micros;
use time::OffsetDateTime;
use uuid::Uuid;

use super::tx::exactly_one;
use super::{StoreError, Tx, ledger};
use crate::ledger::hold::{self, Hold};

/// A hold to be opened.
#[derive(Debug, Clone)]
pub struct NewHold<'a> {
    /// Identity.
    pub id: HoldId,
    /// Whose money it is.
    pub organisation: OrganisationId,
    /// In which currency.
    pub currency: &'a str,
    /// What it is for.
    pub subject: DemandId,
    /// How much.
    pub amount: Micros,
}

/// Opens a hold: the money leaves the available balance. Refused by [`ledger::OVERDRAWN`] when there is not enough.
pub async fn open(
    tx: &mut Tx,
    new: &NewHold<'_>,
    transfer: TransferId,
    reason: &str,
    now: OffsetDateTime,
) -> Result<Hold, StoreError> {
    let moved = hold::set_aside(new.organisation, new.subject, new.amount, reason);
    ledger::post(tx, transfer, &moved, new.currency, now).await?;
    sqlx::query(
        "INSERT INTO holds (id, organisation_id, currency, subject, remaining_micros, state, created_at)
         VALUES ($1, $2, $3, $4, $5, 'active', $6)",
    )
    .bind(new.id.uuid())
    .bind(new.organisation.uuid())
    .bind(new.currency)
    .bind(new.subject.to_string())
    .bind(new.amount.get())
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(Hold {
        id: new.id,
        organisation: new.organisation,
        currency: new.currency.to_owned(),
        subject: new.subject,
        remaining: new.amount,
        version: 1,
    })
}

/// The active hold of a demand, locked until the transaction ends.
pub async fn lock(tx: &mut Tx, subject: DemandId) -> Result<Option<Hold>, StoreError> {
    Ok(lock_all(tx, &[subject]).await?.pop())
}

/// The active holds of many demands, locked in the order of their ids.
pub async fn lock_all(tx: &mut Tx, subjects: &[DemandId]) -> Result<Vec<Hold>, StoreError> {
    let subjects: Vec<_> = subjects.iter().map(DemandId::to_string).collect();
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT id, organisation_id, currency, subject, remaining_micros, version FROM holds
         WHERE subject = ANY($1) AND state = 'active' ORDER BY id FOR UPDATE",
    )
    .bind(subjects)
    .fetch_all(tx.conn())
    .await?;
    rows.into_iter().map(Hold::try_from).collect()
}

/// Adds to a hold out of the available balance. Refused by [`ledger::OVERDRAWN`] when there is not enough.
pub async fn top_up(
    tx: &mut Tx,
    hold: &Hold,
    transfer: TransferId,
    amount: Micros,
    reason: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let moved = hold::set_aside(hold.organisation, hold.subject, amount, reason);
    change(tx, &[Change { id: hold.id, version: hold.version, by: amount }]).await?;
    ledger::post(tx, transfer, &moved, &hold.currency, now).await
}

/// Gives a part of a hold back and keeps it open.
pub async fn reduce(
    tx: &mut Tx,
    hold: &Hold,
    transfer: TransferId,
    amount: Micros,
    reason: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let moved = hold::give_back(hold.organisation, hold.subject, amount, reason);
    let by = Micros::new(amount.get().wrapping_neg());
    change(tx, &[Change { id: hold.id, version: hold.version, by }]).await?;
    ledger::post(tx, transfer, &moved, &hold.currency, now).await
}

/// Closes a hold: what is left of it returns to the available balance. There is no way back from here.
pub async fn release(
    tx: &mut Tx,
    hold: &Hold,
    transfer: TransferId,
    reason: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE holds SET remaining_micros = 0, state = 'released', version = version + 1
         WHERE id = $1 AND state = 'active' AND version = $2",
    )
    .bind(hold.id.uuid())
    .bind(hold.version)
    .execute(tx.conn())
    .await?;
    exactly_one("release a hold", &result)?;
    let moved = hold::give_back(hold.organisation, hold.subject, hold.remaining, reason);
    ledger::post(tx, transfer, &moved, &hold.currency, now).await
}

/// What is added to a hold's remainder; negative when it is spent. The caller posts the transfers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub id: HoldId,
    pub version: i64,
    pub by: Micros,
}

/// Changes active holds, each at the version it was loaded with.
pub(super) async fn change(tx: &mut Tx, changes: &[Change]) -> Result<(), StoreError> {
    let ids: Vec<_> = changes.iter().map(|change| change.id.uuid()).collect();
    let versions: Vec<_> = changes.iter().map(|change| change.version).collect();
    let amounts: Vec<_> = changes.iter().map(|change| change.by.get()).collect();
    let result = sqlx::query(
        "UPDATE holds SET remaining_micros = remaining_micros + c.amount, version = holds.version + 1
         FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS c (id, version, amount)
         WHERE holds.id = c.id AND holds.version = c.version AND holds.state = 'active'",
    )
    .bind(ids)
    .bind(versions)
    .bind(amounts)
    .execute(tx.conn())
    .await?;
    match usize::try_from(result.rows_affected()) {
        Ok(touched) if touched == changes.len() => Ok(()),
        _ => Err(StoreError::Stale { what: "change holds", touched: result.rows_affected() }),
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    organisation_id: Uuid,
    currency: String,
    subject: String,
    remaining_micros: i64,
    version: i64,
}

impl TryFrom<Row> for Hold {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id.into(),
            organisation: row.organisation_id.into(),
            currency: row.currency,
            subject: row.subject.parse().map_err(|error| StoreError::corrupt("hold subject", error))?,
            remaining: Micros::new(row.remaining_micros),
            version: row.version,
        })
    }
}
