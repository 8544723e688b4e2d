//! What a tenant sees beside a rental's own columns: names, devices, what is held.

use std::collections::BTreeMap;

use scheduler::world::ids::{DeviceId, RentalId};
use scheduler::world::money::Micros;
use sqlx::types::Json;
use uuid::Uuid;

use crate::node::Adapter;
use crate::store::{StoreError, Tx};

/// What surrounds a rental.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Details {
    /// Its provider's name.
    pub provider_name: Option<String>,
    /// Its node's name.
    pub node_name: Option<String>,
    /// Who runs its node.
    pub adapter: Option<Adapter>,
    /// The GPU model of its class.
    pub model: String,
    /// The devices that it has now.
    pub devices: Vec<HeldDevice>,
    /// What is set aside for it, or for the bid or job that it serves.
    pub hold: Micros,
}

/// A device that a rental has.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct HeldDevice {
    id: Uuid,
    /// What its driver calls it.
    pub uuid: String,
    /// Its place in the node.
    pub slot: i32,
}

impl HeldDevice {
    /// Its identity.
    #[must_use]
    pub fn id(&self) -> DeviceId {
        self.id.into()
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    provider_name: Option<String>,
    node_name: Option<String>,
    adapter: Option<String>,
    model: String,
    devices: Json<Vec<HeldDevice>>,
    held_micros: i64,
}

/// The details of these rentals.
pub async fn details(tx: &mut Tx, rentals: &[RentalId]) -> Result<BTreeMap<RentalId, Details>, StoreError> {
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT r.id, p.name AS provider_name, n.name AS node_name, n.adapter, c.model,
                coalesce((SELECT jsonb_agg(jsonb_build_object('id', d.id, 'uuid', d.uuid, 'slot', d.slot) ORDER BY d.slot, d.id)
                          FROM leases l JOIN devices d ON d.id = l.device_id
                          WHERE l.rental_id = r.id AND upper_inf(l.during)), '[]') AS devices,
                coalesce((SELECT h.remaining_micros FROM holds h WHERE h.state = 'active' AND h.subject = CASE r.kind
                              WHEN 'bid' THEN 'bid_' || replace(r.bid_id::text, '-', '')
                              WHEN 'job' THEN 'job_' || replace(r.job_id::text, '-', '')
                              ELSE 'rnt_' || replace(r.id::text, '-', '') END), 0) AS held_micros
         FROM rentals r JOIN device_classes c ON c.id = r.class_id
         LEFT JOIN nodes n ON n.id = r.node_id LEFT JOIN providers p ON p.id = r.provider_id
         WHERE r.id = ANY($1)",
    )
    .bind(rentals.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    let details = |row: Row| {
        let adapter = row.adapter.map(|name| name.parse().map_err(|_| StoreError::corrupt("adapter", &name)));
        let details = Details {
            provider_name: row.provider_name,
            node_name: row.node_name,
            adapter: adapter.transpose()?,
            model: row.model,
            devices: row.devices.0,
            hold: Micros::new(row.held_micros),
        };
        Ok((row.id.into(), details))
    };
    rows.into_iter().map(details).collect()
}
