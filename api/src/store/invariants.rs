//! What must always be true of the money, each as one statement that counts what breaks it and names one example.

use time::OffsetDateTime;

use super::{StoreError, Tx};

/// What breaks an invariant: how many, and one of them.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Broken {
    /// How many rows break it.
    pub count: i64,
    /// One of them, in words.
    pub example: Option<String>,
}

/// Transfers whose entries do not sum to zero, have fewer than two, or are of another currency.
pub async fn unbalanced_transfers(tx: &mut Tx) -> Result<Broken, StoreError> {
    let broken = sqlx::query_as(
        "SELECT count(*) AS count, min('trf_' || replace(id::text, '-', '') || ' sums to ' || total || ' micros') AS example
         FROM (SELECT t.id, coalesce(sum(e.amount_micros), 0) AS total, count(e.amount_micros) AS entries,
                      count(*) FILTER (WHERE a.currency <> t.currency) AS foreign_entries
               FROM transfers t LEFT JOIN entries e ON e.transfer_id = t.id LEFT JOIN accounts a ON a.id = e.account_id
               GROUP BY t.id) AS sums
         WHERE total <> 0 OR entries < 2 OR foreign_entries > 0",
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(broken)
}

/// Accounts whose balance is not the sum of their entries.
pub async fn drifted_balances(tx: &mut Tx) -> Result<Broken, StoreError> {
    let broken = sqlx::query_as(
        "SELECT count(*) AS count,
                min('acc_' || replace(a.id::text, '-', '') || ' (' || a.kind || ') holds ' || a.balance_micros || ' and its entries ' || coalesce(s.total, 0)) AS example
         FROM accounts a LEFT JOIN (SELECT account_id, sum(amount_micros) AS total FROM entries GROUP BY account_id) AS s ON s.account_id = a.id
         WHERE a.balance_micros <> coalesce(s.total, 0)",
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(broken)
}

/// Accounts that may not be overdrawn and are.
pub async fn overdrawn_accounts(tx: &mut Tx) -> Result<Broken, StoreError> {
    let broken = sqlx::query_as(
        "SELECT count(*) AS count, min('acc_' || replace(id::text, '-', '') || ' (' || kind || ') is at ' || balance_micros) AS example
         FROM accounts
         WHERE balance_micros < 0 AND kind NOT IN ('payment_clearing', 'operator_credit', 'refunds', 'rounding')",
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(broken)
}

/// Wallets whose held balance is not the sum of their active holds.
pub async fn unexplained_held(tx: &mut Tx) -> Result<Broken, StoreError> {
    let broken = sqlx::query_as(
        "SELECT count(*) AS count,
                min('org_' || replace(a.organisation_id::text, '-', '') || ' has ' || a.balance_micros || ' held and holds of ' || coalesce(s.total, 0)) AS example
         FROM accounts a
         LEFT JOIN (SELECT organisation_id, currency, sum(remaining_micros) AS total FROM holds WHERE state = 'active'
                    GROUP BY organisation_id, currency) AS s
              ON s.organisation_id = a.organisation_id AND s.currency = a.currency
         WHERE a.kind = 'tenant_held' AND a.balance_micros <> coalesce(s.total, 0)",
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(broken)
}

/// Rentals that run up a bill and have no hold that pays it.
pub async fn unheld_rentals(tx: &mut Tx) -> Result<Broken, StoreError> {
    let broken = sqlx::query_as(
        "SELECT count(*) AS count, min('rnt_' || replace(r.id::text, '-', '') || ' runs without a hold') AS example
         FROM rentals r
         WHERE r.state IN ('running', 'notice') AND r.metered_to IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM holds h WHERE h.state = 'active' AND h.organisation_id = r.organisation_id AND h.subject = CASE r.kind
                 WHEN 'bid' THEN 'bid_' || replace(r.bid_id::text, '-', '')
                 WHEN 'job' THEN 'job_' || replace(r.job_id::text, '-', '')
                 ELSE 'rnt_' || replace(r.id::text, '-', '') END)",
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(broken)
}

/// Intervals written since then that bill time or devices which the rental did not hold. Two leases of a device, and two
/// intervals of a rental, cannot overlap: so what is held once is billed at most once.
pub async fn unleased_usage(tx: &mut Tx, since: OffsetDateTime) -> Result<Broken, StoreError> {
    let broken = sqlx::query_as(
        "SELECT count(*) AS count, min('usg_' || replace(u.id::text, '-', '') || ' bills ' || u.devices || ' devices') AS example
         FROM usage_intervals u
         WHERE u.created_at >= $1 AND u.devices > (
             SELECT count(*) FROM leases l WHERE l.rental_id = u.rental_id AND l.during @> tstzrange(u.starts_at, u.ends_at))",
    )
    .bind(since)
    .fetch_one(tx.conn())
    .await?;
    Ok(broken)
}

/// Currencies in which what tenants paid is not what providers earned, the platform's fee and the tax, less what the
/// platform refunded.
pub async fn lost_payments(tx: &mut Tx) -> Result<Broken, StoreError> {
    let broken = sqlx::query_as(
        "SELECT count(*) AS count, min(currency || ': tenants paid ' || paid || ', others got ' || got) AS example
         FROM (SELECT t.currency,
                      -coalesce(sum(e.amount_micros) FILTER (WHERE a.kind IN ('tenant_available', 'tenant_held')), 0) AS paid,
                      coalesce(sum(e.amount_micros) FILTER (WHERE a.kind IN ('provider_pending', 'provider_available', 'platform_fee', 'tax', 'refunds')), 0) AS got
               FROM transfers t JOIN entries e ON e.transfer_id = t.id JOIN accounts a ON a.id = e.account_id
               WHERE t.kind IN ('usage', 'refund') GROUP BY t.currency) AS sums
         WHERE paid <> got",
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(broken)
}

/// Intervals whose payment is not what they say, and payments without an interval.
pub async fn unpaid_usage(tx: &mut Tx) -> Result<Broken, StoreError> {
    let broken = sqlx::query_as(
        "WITH paid AS (
             SELECT t.id, -sum(e.amount_micros) FILTER (WHERE a.kind = 'tenant_held') AS amount,
                    coalesce(sum(e.amount_micros) FILTER (WHERE a.kind = 'platform_fee'), 0) AS fee
             FROM transfers t JOIN entries e ON e.transfer_id = t.id JOIN accounts a ON a.id = e.account_id
             WHERE t.kind = 'usage' GROUP BY t.id
         ), used AS (
             SELECT transfer_id AS id, sum(amount_micros) AS amount, sum(fee_micros) AS fee FROM usage_intervals
             WHERE transfer_id IS NOT NULL GROUP BY transfer_id
         )
         SELECT count(*) AS count,
                min('trf_' || replace(id::text, '-', '') || ' pays ' || coalesce(paid.amount, 0) || ' for ' || coalesce(used.amount, 0)) AS example
         FROM paid FULL JOIN used USING (id)
         WHERE paid.amount IS DISTINCT FROM used.amount OR paid.fee IS DISTINCT FROM used.fee",
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(broken)
}

/// Rentals and jobs whose running totals are not the sums of their intervals.
pub async fn wrong_totals(tx: &mut Tx) -> Result<Broken, StoreError> {
    let broken = sqlx::query_as(
        "WITH used AS (SELECT rental_id, sum(amount_micros) AS amount FROM usage_intervals GROUP BY rental_id), wrong AS (
             SELECT 'rnt_' || replace(r.id::text, '-', '') || ' says ' || r.charged_micros || ' and used ' || coalesce(u.amount, 0) AS what
             FROM rentals r LEFT JOIN used u ON u.rental_id = r.id WHERE r.charged_micros <> coalesce(u.amount, 0)
             UNION ALL
             SELECT 'job_' || replace(j.id::text, '-', '') || ' says ' || j.spent_micros || ' and used ' || coalesce(sum(u.amount), 0)
             FROM jobs j LEFT JOIN rentals r ON r.job_id = j.id LEFT JOIN used u ON u.rental_id = r.id
             GROUP BY j.id, j.spent_micros HAVING j.spent_micros <> coalesce(sum(u.amount), 0)
         )
         SELECT count(*) AS count, min(what) AS example FROM wrong",
    )
    .fetch_one(tx.conn())
    .await?;
    Ok(broken)
}
