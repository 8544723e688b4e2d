//! What an organisation sees of its money: balances, entries, holds.

use scheduler::world::ids::OrganisationId;
use scheduler::world::money::Micros;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx, metering};
use crate::ledger::runway::Warning;

/// Balances, and what the running rentals do to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wallet {
    /// The currency.
    pub currency: String,
    /// What can be spent.
    pub available: Micros,
    /// What is set aside.
    pub held: Micros,
    /// What everything that runs costs per hour.
    pub burn_per_hour: Micros,
    /// The part of it that the wallet pays: all but jobs.
    pub wallet_burn_per_hour: Micros,
    /// What is set aside for that part.
    pub held_for_running: Micros,
}

/// The organisation's wallet.
pub async fn find(tx: &mut Tx, organisation: OrganisationId) -> Result<Wallet, StoreError> {
    let (currency, available, held, burn, wallet_burn, held_for_running) = sqlx::query_as(
        "SELECT o.currency, available.balance_micros, held.balance_micros,
                running.burn, running.wallet_burn, running.held
         FROM organisations o
         JOIN accounts available ON available.organisation_id = o.id AND available.kind = 'tenant_available' AND available.currency = o.currency
         JOIN accounts held ON held.organisation_id = o.id AND held.kind = 'tenant_held' AND held.currency = o.currency
         CROSS JOIN LATERAL (
             SELECT coalesce(sum(r.price_micros_per_hour * r.gang), 0)::bigint AS burn,
                    coalesce(sum(r.price_micros_per_hour * r.gang) FILTER (WHERE r.job_id IS NULL), 0)::bigint AS wallet_burn,
                    coalesce(sum(h.remaining_micros) FILTER (WHERE r.job_id IS NULL), 0)::bigint AS held
             FROM rentals r
             LEFT JOIN holds h ON h.state = 'active' AND h.subject = CASE
                 WHEN r.bid_id IS NULL THEN 'rnt_' || replace(r.id::text, '-', '')
                 ELSE 'bid_' || replace(r.bid_id::text, '-', '') END
             WHERE r.organisation_id = o.id AND r.state IN ('running', 'notice')
         ) AS running
         WHERE o.id = $1",
    )
    .bind(organisation.uuid())
    .fetch_one(tx.conn())
    .await?;
    Ok(Wallet {
        currency,
        available: Micros::new(available),
        held: Micros::new(held),
        burn_per_hour: Micros::new(burn),
        wallet_burn_per_hour: Micros::new(wallet_burn),
        held_for_running: Micros::new(held_for_running),
    })
}

/// What the organisation can spend in a currency, locked until the transaction ends; `None` without such a wallet.
pub async fn lock_available(
    tx: &mut Tx,
    organisation: OrganisationId,
    currency: &str,
) -> Result<Option<Micros>, StoreError> {
    let wallets = metering::lock_wallets(tx, &[organisation]).await?;
    Ok(wallets.into_iter().find(|(_, of, _)| of == currency).map(|(_, _, available)| available))
}

/// What an organisation has for what runs on its wallet, and how fast that uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningWallet {
    /// Whose wallet.
    pub organisation: OrganisationId,
    /// Its currency.
    pub currency: String,
    /// What is available, and what is set aside for the rentals that run on it.
    pub money: Micros,
    /// What those rentals cost per hour.
    pub burn_per_hour: Micros,
    /// The last warning that was given.
    pub warned: Option<Warning>,
}

/// The wallets of these organisations, and of all that were warned, in one statement.
pub async fn running(tx: &mut Tx, organisations: &[OrganisationId]) -> Result<Vec<RunningWallet>, StoreError> {
    let rows: Vec<(Uuid, String, Option<String>, i64, i64)> = sqlx::query_as(
        "SELECT o.id, o.currency, o.runway_warning, (a.balance_micros + running.held)::bigint, running.burn
         FROM organisations o
         JOIN accounts a ON a.organisation_id = o.id AND a.kind = 'tenant_available' AND a.currency = o.currency
         CROSS JOIN LATERAL (
             SELECT coalesce(sum(r.price_micros_per_hour * r.gang), 0)::bigint AS burn,
                    coalesce(sum(h.remaining_micros), 0)::bigint AS held
             FROM rentals r
             LEFT JOIN holds h ON h.state = 'active' AND h.subject = CASE
                 WHEN r.bid_id IS NULL THEN 'rnt_' || replace(r.id::text, '-', '')
                 ELSE 'bid_' || replace(r.bid_id::text, '-', '') END
             WHERE r.organisation_id = o.id AND r.state IN ('running', 'notice') AND r.job_id IS NULL
         ) AS running
         WHERE o.id = ANY($1) OR o.runway_warning IS NOT NULL ORDER BY o.id",
    )
    .bind(organisations.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    let wallet = |(id, currency, warned, money, burn): (Uuid, String, Option<String>, i64, i64)| RunningWallet {
        organisation: id.into(),
        currency,
        money: Micros::new(money),
        burn_per_hour: Micros::new(burn),
        warned: warned.as_deref().and_then(Warning::parse),
    };
    Ok(rows.into_iter().map(wallet).collect())
}

/// Notes which warnings were given.
pub async fn note_warnings(tx: &mut Tx, warnings: &[(OrganisationId, Option<Warning>)]) -> Result<(), StoreError> {
    if warnings.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "UPDATE organisations SET runway_warning = w.warning, version = version + 1
         FROM unnest($1::uuid[], $2::text[]) AS w (id, warning) WHERE organisations.id = w.id",
    )
    .bind(warnings.iter().map(|(id, _)| id.uuid()).collect::<Vec<_>>())
    .bind(warnings.iter().map(|(_, warning)| warning.map(Warning::as_str)).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// One change of one of the two balances.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct WalletEntry {
    /// The transfer.
    pub transfer_id: Uuid,
    /// Why it moved.
    pub kind: String,
    /// `tenant_available` or `tenant_held`.
    pub account: String,
    /// What was added.
    pub amount_micros: i64,
    /// The currency.
    pub currency: String,
    /// What it is for.
    pub subject: String,
    /// The reason, in words.
    pub reason: String,
    /// When it moved.
    pub created_at: OffsetDateTime,
}

/// Where a page of entries begins: a transfer can have an entry on each of the two accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPosition {
    /// The transfer of the last entry seen.
    pub transfer_id: Uuid,
    /// Its account.
    pub account: String,
}

/// The organisation's entries, newest first.
pub async fn entries(
    tx: &mut Tx,
    organisation: OrganisationId,
    before: Option<&EntryPosition>,
    rows: i64,
) -> Result<Vec<WalletEntry>, StoreError> {
    let entries = sqlx::query_as(
        "SELECT e.transfer_id, t.kind, a.kind AS account, e.amount_micros, t.currency, t.subject, t.reason, e.created_at
         FROM accounts a JOIN entries e ON e.account_id = a.id JOIN transfers t ON t.id = e.transfer_id
         WHERE a.organisation_id = $1 AND ($2::uuid IS NULL OR (e.transfer_id, a.kind) < ($2, $3))
         ORDER BY e.transfer_id DESC, a.kind DESC LIMIT $4",
    )
    .bind(organisation.uuid())
    .bind(before.map(|position| position.transfer_id))
    .bind(before.map(|position| position.account.as_str()))
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(entries)
}

/// Money set aside, as its owner sees it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct ActiveHold {
    /// Identity.
    pub id: Uuid,
    /// What it is for.
    pub subject: String,
    /// The part neither spent nor released.
    pub remaining_micros: i64,
    /// The currency.
    pub currency: String,
    /// When it was set aside.
    pub created_at: OffsetDateTime,
}

/// The organisation's active holds, newest first.
pub async fn holds(
    tx: &mut Tx,
    organisation: OrganisationId,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<ActiveHold>, StoreError> {
    let holds = sqlx::query_as(
        "SELECT id, subject, remaining_micros, currency, created_at FROM holds
         WHERE organisation_id = $1 AND state = 'active' AND ($2::uuid IS NULL OR id < $2)
         ORDER BY id DESC LIMIT $3",
    )
    .bind(organisation.uuid())
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(holds)
}
