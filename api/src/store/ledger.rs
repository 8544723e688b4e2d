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

/// Posts a transfer. Accounts are locked in the order of their ids, so that two transfers never wait for each other in
/// a circle. A transfer without entries moves nothing and writes nothing.
pub async fn post(
    tx: &mut Tx,
    id: TransferId,
    transfer: &Transfer,
    currency: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let entries = transfer.entries();
    if entries.is_empty() {
        return Ok(());
    }
    let kinds: Vec<_> = entries.iter().map(|entry| entry.account.kind()).collect();
    let organisations: Vec<_> = entries.iter().map(|entry| entry.account.organisation().map(|id| id.uuid())).collect();
    let providers: Vec<_> = entries.iter().map(|entry| entry.account.provider().map(|id| id.uuid())).collect();
    let amounts: Vec<_> = entries.iter().map(|entry| entry.amount.get()).collect();
    let result = sqlx::query(
        "WITH wanted AS (
             SELECT a.id, w.amount
             FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::bigint[]) AS w (kind, organisation_id, provider_id, amount)
             JOIN accounts a ON a.kind = w.kind AND a.currency = $5
                  AND a.organisation_id IS NOT DISTINCT FROM w.organisation_id
                  AND a.provider_id IS NOT DISTINCT FROM w.provider_id
             ORDER BY a.id
             FOR UPDATE OF a
         ), moved AS (
             UPDATE accounts SET balance_micros = balance_micros + wanted.amount FROM wanted WHERE accounts.id = wanted.id
         ), posted AS (
             INSERT INTO transfers (id, kind, currency, subject, reason, created_at) VALUES ($6, $7, $5, $8, $9, $10)
         )
         INSERT INTO entries (transfer_id, account_id, amount_micros, created_at)
         SELECT $6, wanted.id, wanted.amount, $10 FROM wanted",
    )
    .bind(kinds)
    .bind(organisations)
    .bind(providers)
    .bind(amounts)
    .bind(currency)
    .bind(id.uuid())
    .bind(transfer.kind().as_str())
    .bind(transfer.subject())
    .bind(transfer.reason())
    .bind(now)
    .execute(tx.conn())
    .await?;
    let expected = u64::try_from(entries.len()).unwrap_or(u64::MAX);
    if result.rows_affected() == expected {
        Ok(())
    } else {
        Err(StoreError::corrupt(
            "ledger",
            format!("{} of {expected} accounts exist in {currency}", result.rows_affected()),
        ))
    }
}
