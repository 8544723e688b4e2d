//! Writing transfers: balances, transfer and entries in one statement, so that a balance can never drift from its entries.

use scheduler::world::ids::{OrganisationId, ProviderId, TransferId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};
use crate::entropy::Entropy;
use crate::ledger::Transfer;

/// The constraint that keeps a tenant from spending what it does not have.
pub const OVERDRAWN: &str = "accounts_never_overdrawn";

/// Opens an organisation's two accounts.
pub async fn open_tenant(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    organisation: OrganisationId,
    currency: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    open(tx, entropy, Some(organisation), None, &["tenant_available", "tenant_held"], currency, now).await
}

/// Opens a provider's two accounts.
pub async fn open_provider(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    provider: ProviderId,
    currency: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    open(tx, entropy, None, Some(provider), &["provider_pending", "provider_available"], currency, now).await
}

/// Opens the marketplace's own accounts in a currency. Does nothing where they are open.
pub async fn open_house(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    currency: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let kinds = ["platform_fee", "tax", "payment_clearing", "operator_credit", "refunds", "rounding"];
    open(tx, entropy, None, None, &kinds, currency, now).await
}

async fn open(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    organisation: Option<OrganisationId>,
    provider: Option<ProviderId>,
    kinds: &[&str],
    currency: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = kinds.iter().map(|_| entropy.id(now)).collect();
    sqlx::query(
        "INSERT INTO accounts (id, kind, organisation_id, provider_id, currency, created_at)
         SELECT a.id, a.kind, $3, $4, $5, $6 FROM unnest($1::uuid[], $2::text[]) AS a (id, kind)
         ON CONFLICT DO NOTHING",
    )
    .bind(ids)
    .bind(kinds)
    .bind(organisation.map(|id| id.uuid()))
    .bind(provider.map(|id| id.uuid()))
    .bind(currency)
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Posts one transfer. A transfer without entries moves nothing and writes nothing.
pub async fn post(
    tx: &mut Tx,
    id: TransferId,
    transfer: &Transfer,
    currency: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let posting = Posting { id, transfer: transfer.clone(), currency: currency.to_owned() };
    post_all(tx, &[posting], now).await
}

/// A transfer on its way into the ledger.
#[derive(Debug, Clone)]
pub struct Posting {
    /// Identity.
    pub id: TransferId,
    /// What moves.
    pub transfer: Transfer,
    /// In which currency.
    pub currency: String,
}

/// Posts transfers in one statement. Accounts are locked in one order, tenants' before all others and each by id, so that
/// two transactions that post once never wait for each other in a circle.
pub async fn post_all(tx: &mut Tx, postings: &[Posting], now: OffsetDateTime) -> Result<(), StoreError> {
    let postings: Vec<_> = postings.iter().filter(|posting| !posting.transfer.entries().is_empty()).collect();
    if postings.is_empty() {
        return Ok(());
    }
    let transfers = postings.iter().map(|posting| (posting.id.uuid(), posting.currency.as_str(), &posting.transfer));
    let legs: Vec<_> = transfers
        .clone()
        .flat_map(|(id, currency, transfer)| transfer.entries().iter().map(move |entry| (id, currency, *entry)))
        .collect();
    let result = sqlx::query(
        "WITH posted AS (
             INSERT INTO transfers (id, kind, currency, subject, reason, created_at)
             SELECT t.id, t.kind, t.currency, t.subject, t.reason, $12
             FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) AS t (id, kind, currency, subject, reason)
         ), wanted AS (
             SELECT * FROM unnest($6::uuid[], $7::text[], $8::text[], $9::uuid[], $10::uuid[], $11::bigint[])
                 AS w (transfer_id, currency, kind, organisation_id, provider_id, amount)
         ), legs AS (
             SELECT w.transfer_id, a.id AS account_id, w.amount FROM wanted w
             JOIN accounts a ON a.organisation_id = w.organisation_id AND a.kind = w.kind AND a.currency = w.currency
             UNION ALL
             SELECT w.transfer_id, a.id, w.amount FROM wanted w
             JOIN accounts a ON a.provider_id = w.provider_id AND a.kind = w.kind AND a.currency = w.currency
             UNION ALL
             SELECT w.transfer_id, a.id, w.amount FROM wanted w
             JOIN accounts a ON a.organisation_id IS NULL AND a.provider_id IS NULL AND a.kind = w.kind AND a.currency = w.currency
             WHERE w.organisation_id IS NULL AND w.provider_id IS NULL
         ), locked AS (
             SELECT id FROM accounts WHERE id IN (SELECT account_id FROM legs)
             ORDER BY organisation_id IS NULL, id FOR UPDATE
         ), moved AS (
             UPDATE accounts SET balance_micros = balance_micros + total.amount
             FROM (SELECT account_id, sum(amount)::bigint AS amount FROM legs
                   WHERE account_id IN (SELECT id FROM locked) GROUP BY account_id) AS total
             WHERE accounts.id = total.account_id
         )
         INSERT INTO entries (transfer_id, account_id, amount_micros, created_at)
         SELECT transfer_id, account_id, amount, $12 FROM legs",
    )
    .bind(transfers.clone().map(|(id, _, _)| id).collect::<Vec<_>>())
    .bind(transfers.clone().map(|(_, _, transfer)| transfer.kind().as_str()).collect::<Vec<_>>())
    .bind(transfers.clone().map(|(_, currency, _)| currency).collect::<Vec<_>>())
    .bind(transfers.clone().map(|(_, _, transfer)| transfer.subject()).collect::<Vec<_>>())
    .bind(transfers.map(|(_, _, transfer)| transfer.reason()).collect::<Vec<_>>())
    .bind(legs.iter().map(|(id, _, _)| *id).collect::<Vec<_>>())
    .bind(legs.iter().map(|(_, currency, _)| *currency).collect::<Vec<_>>())
    .bind(legs.iter().map(|(_, _, entry)| entry.account.kind()).collect::<Vec<_>>())
    .bind(legs.iter().map(|(_, _, entry)| entry.account.organisation().map(OrganisationId::uuid)).collect::<Vec<_>>())
    .bind(legs.iter().map(|(_, _, entry)| entry.account.provider().map(ProviderId::uuid)).collect::<Vec<_>>())
    .bind(legs.iter().map(|(_, _, entry)| entry.amount.get()).collect::<Vec<_>>())
    .bind(now)
    .execute(tx.conn())
    .await?;
    match usize::try_from(result.rows_affected()) {
        Ok(entries) if entries == legs.len() => Ok(()),
        _ => Err(StoreError::corrupt("ledger", format!("{} of {} accounts exist", result.rows_affected(), legs.len()))),
    }
}
