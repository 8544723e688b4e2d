//! Who has which devices: rentals with live leases.

use scheduler::world::ids::{BidId, DeviceId, JobId, NodeId, OrganisationId, PoolId, RentalId};
use scheduler::world::{DemandId, Holding, Millis, PricePerHour};
use time::OffsetDateTime;
use uuid::Uuid;

use super::super::{StoreError, Tx};
use super::valid;
use crate::clock::to_at;

#[derive(sqlx::FromRow)]
struct Row {
    #[sqlx(try_from = "Uuid")]
    id: RentalId,
    #[sqlx(try_from = "Uuid")]
    organisation_id: OrganisationId,
    kind: String,
    bid_id: Option<Uuid>,
    job_id: Option<Uuid>,
    class_id: String,
    price_micros_per_hour: i64,
    usable_at: Option<OffsetDateTime>,
    notice_until: Option<OffsetDateTime>,
    #[sqlx(try_from = "Uuid")]
    node_id: NodeId,
    device_ids: Vec<Uuid>,
    since: OffsetDateTime,
}

/// Every rental of the pool that holds devices. Its minimum run counts from when it became usable, and from the grant
/// until then.
pub(super) async fn load(tx: &mut Tx, pool: PoolId, min_run: Millis) -> Result<Vec<Holding>, StoreError> {
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT r.id, r.organisation_id, r.kind, r.bid_id, r.job_id, r.class_id, r.price_micros_per_hour, r.usable_at, r.notice_until,
                l.node_id, l.device_ids, l.since
         FROM (SELECT rental_id, min(node_id::text)::uuid AS node_id, array_agg(device_id) AS device_ids, min(lower(during)) AS since
               FROM leases WHERE pool_id = $1 AND upper_inf(during) GROUP BY rental_id) l
         JOIN rentals r ON r.id = l.rental_id",
    )
    .bind(pool.uuid())
    .fetch_all(tx.conn())
    .await?;
    rows.into_iter().map(|row| holding(row, min_run)).collect()
}

fn holding(row: Row, min_run: Millis) -> Result<Holding, StoreError> {
    let demand = match (row.kind.as_str(), row.bid_id, row.job_id) {
        ("on_demand", None, None) => DemandId::OnDemand(row.id),
        ("bid", Some(bid), None) => DemandId::Bid(BidId::from(bid)),
        ("job", None, Some(job)) => DemandId::Job(JobId::from(job)),
        (kind, ..) => return Err(StoreError::corrupt("origin of a rental", format!("{} is of kind {kind}", row.id))),
    };
    let since = to_at(row.since);
    let usable_at = row.usable_at.map(to_at);
    Ok(Holding {
        demand,
        rental: row.id,
        owner: row.organisation_id,
        node: row.node_id,
        class: valid("device class", row.class_id.parse())?,
        devices: row.device_ids.into_iter().map(DeviceId::from).collect(),
        since,
        usable_at,
        price: valid("price", PricePerHour::from_micros(row.price_micros_per_hour))?,
        notice_until: row.notice_until.map(to_at),
        protected_until: usable_at.unwrap_or(since).saturating_add(min_run),
    })
}
