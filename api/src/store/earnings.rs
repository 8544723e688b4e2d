//! What a provider earned, from the metered intervals; and what lies on its accounts.

use scheduler::world::ids::{NodeId, ProviderId};
use scheduler::world::money::Micros;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::{Date, OffsetDateTime};

use super::{StoreError, Tx, column};

/// A sum over intervals: of a node, of a day, or of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earned {
    /// Over what.
    pub group: Group,
    /// What tenants paid.
    pub gross: Micros,
    /// The marketplace's part of it.
    pub fee: Micros,
    /// Devices times milliseconds.
    pub device_milliseconds: i64,
}

/// Over what a sum goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Group {
    /// Everything.
    All,
    /// One node.
    Node {
        /// Which node.
        id: NodeId,
        /// Its name.
        name: String,
    },
    /// One day, UTC.
    Day(Date),
}

impl<'r> FromRow<'r, PgRow> for Earned {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        let (node, day): (Option<NodeId>, Option<Date>) = (column::id_option(row, "node_id")?, row.try_get("day")?);
        let group = match (node, day) {
            (Some(id), _) => Group::Node { id, name: row.try_get("name")? },
            (None, Some(day)) => Group::Day(day),
            (None, None) => Group::All,
        };
        Ok(Self {
            group,
            gross: column::amount(row, "gross")?,
            fee: column::amount(row, "fee")?,
            device_milliseconds: row.try_get("device_milliseconds")?,
        })
    }
}

/// Sums by node, by day and of all, over the intervals that ended after `from` and not after `to`. An interval counts as
/// a whole on the day in which its last instant lies.
pub async fn sums(
    tx: &mut Tx,
    provider: ProviderId,
    from: OffsetDateTime,
    to: OffsetDateTime,
) -> Result<Vec<Earned>, StoreError> {
    let sums = sqlx::query_as(
        "SELECT u.node_id, min(n.name) AS name, u.day, coalesce(sum(u.amount_micros), 0)::bigint AS gross,
                coalesce(sum(u.fee_micros), 0)::bigint AS fee,
                coalesce(sum(u.devices * u.milliseconds), 0)::bigint AS device_milliseconds
         FROM (
             SELECT node_id, amount_micros, fee_micros, devices,
                    ((ends_at - INTERVAL '1 microsecond') AT TIME ZONE 'UTC')::date AS day,
                    (extract(epoch FROM ends_at - starts_at) * 1000)::bigint AS milliseconds
             FROM usage_intervals WHERE provider_id = $1 AND ends_at > $2 AND ends_at <= $3
         ) u
         LEFT JOIN nodes n ON n.id = u.node_id
         GROUP BY GROUPING SETS ((u.node_id), (u.day), ())
         ORDER BY u.day NULLS FIRST, u.node_id",
    )
    .bind(provider.uuid())
    .bind(from)
    .bind(to)
    .fetch_all(tx.conn())
    .await?;
    Ok(sums)
}

/// What lies on the provider's two accounts: what cannot be drawn yet, and what can.
pub async fn balances(tx: &mut Tx, provider: ProviderId) -> Result<(Micros, Micros), StoreError> {
    let (pending, available): (i64, i64) = sqlx::query_as(
        "SELECT coalesce(sum(balance_micros) FILTER (WHERE kind = 'provider_pending'), 0)::bigint,
                coalesce(sum(balance_micros) FILTER (WHERE kind = 'provider_available'), 0)::bigint
         FROM accounts WHERE provider_id = $1",
    )
    .bind(provider.uuid())
    .fetch_one(tx.conn())
    .await?;
    Ok((Micros::new(pending), Micros::new(available)))
}
