//! Adding rentals, with the leases of those that have devices.

use scheduler::world::class::ClassId;
use scheduler::world::ids::{DeviceId, LeaseId, NodeId, OrganisationId, PoolId, ProviderId, RentalId};
use scheduler::world::money::{Micros, PricePerHour};
use time::OffsetDateTime;

use super::{Origin, Rental};
use crate::rental::{RentalState, StateName};
use crate::store::leases::{self, NewLease};
use crate::store::tx::exactly_one;
use crate::store::{StoreError, Tx};

/// A rental to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRental {
    /// Identity.
    pub id: RentalId,
    /// Who pays.
    pub organisation: OrganisationId,
    /// The pool it draws on.
    pub pool: PoolId,
    /// The class of all its devices.
    pub class: ClassId,
    /// What it serves.
    pub origin: Origin,
    /// How many devices, all or nothing.
    pub gang: i32,
    /// What to run in it.
    pub command: Option<String>,
    /// Per device and hour.
    pub price: PricePerHour,
    /// The platform's part, in hundredths of a percent.
    pub fee_bps: i32,
    /// The tenant's own bound on its duration.
    pub max_duration_seconds: Option<i64>,
    /// The tenant's own bound on its cost.
    pub max_spend: Option<Micros>,
    /// Its devices. Without them it is `pending`, with them `provisioning`.
    pub placement: Option<Placement>,
}

impl NewRental {
    /// The rental as it is once it was added.
    #[must_use]
    pub fn as_inserted(self, currency: &str, now: OffsetDateTime) -> Rental {
        Rental {
            id: self.id,
            organisation: self.organisation,
            pool: self.pool,
            currency: currency.to_owned(),
            provider: self.placement.as_ref().map(|placement| placement.provider),
            node: self.placement.as_ref().map(|placement| placement.node),
            class: self.class,
            origin: self.origin,
            gang: self.gang,
            command: self.command,
            price: self.price,
            fee_bps: self.fee_bps,
            state: if self.placement.is_some() { RentalState::Provisioning } else { RentalState::Pending },
            max_duration_seconds: self.max_duration_seconds,
            max_spend: self.max_spend,
            metered_to: None,
            charged: Micros::ZERO,
            epoch: i64::from(self.placement.is_some()),
            created_at: now,
            state_at: now,
            usable_at: None,
            version: 1,
        }
    }
}

/// Devices for a rental, all on one node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The node.
    pub node: NodeId,
    /// Whose node it is.
    pub provider: ProviderId,
    /// The devices, each with the identity of its lease.
    pub devices: Vec<(DeviceId, LeaseId)>,
}

impl Placement {
    fn leases(&self, rental: RentalId, organisation: OrganisationId, pool: PoolId) -> Vec<NewLease> {
        let lease =
            |&(device, id): &(DeviceId, LeaseId)| NewLease { id, pool, rental, organisation, node: self.node, device };
        self.devices.iter().map(lease).collect()
    }
}

/// Adds rentals and opens their leases: two statements, however many there are. A device that is not free any more
/// fails the whole call: [`StoreError::is_conflict`] or [`leases::OVERLAP`].
pub async fn insert(tx: &mut Tx, rentals: &[NewRental], now: OffsetDateTime) -> Result<(), StoreError> {
    if rentals.is_empty() {
        return Ok(());
    }
    let column = |of: fn(&NewRental) -> Option<uuid::Uuid>| rentals.iter().map(of).collect::<Vec<_>>();
    let bids = column(|r| if let Origin::Bid(id) = r.origin { Some(id.uuid()) } else { None });
    let jobs = column(|r| if let Origin::Job(id) = r.origin { Some(id.uuid()) } else { None });
    let asks = column(|r| if let Origin::OnDemand { ask, .. } = r.origin { Some(ask.uuid()) } else { None });
    let quotes = column(|r| if let Origin::OnDemand { quote, .. } = r.origin { Some(quote?.uuid()) } else { None });
    sqlx::query(
        "INSERT INTO rentals (id, organisation_id, pool_id, provider_id, node_id, class_id, kind, bid_id, job_id, ask_id, quote_id,
                              gang, command, price_micros_per_hour, fee_bps, max_duration_seconds, max_spend_micros, state, epoch, created_at, state_at)
         SELECT r.*, $20, $20
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::uuid[], $9::uuid[], $10::uuid[], $11::uuid[],
                     $12::int[], $13::text[], $14::bigint[], $15::int[], $16::bigint[], $17::bigint[], $18::text[], $19::bigint[]) AS r",
    )
    .bind(rentals.iter().map(|r| r.id.uuid()).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| r.organisation.uuid()).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| r.pool.uuid()).collect::<Vec<_>>())
    .bind(column(|r| Some(r.placement.as_ref()?.provider.uuid())))
    .bind(column(|r| Some(r.placement.as_ref()?.node.uuid())))
    .bind(rentals.iter().map(|r| r.class.as_str()).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| r.origin.kind().as_str()).collect::<Vec<_>>())
    .bind(bids)
    .bind(jobs)
    .bind(asks)
    .bind(quotes)
    .bind(rentals.iter().map(|r| r.gang).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| r.command.as_deref()).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| r.price.micros()).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| r.fee_bps).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| r.max_duration_seconds).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| r.max_spend.map(Micros::get)).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| first_state(r).as_str()).collect::<Vec<_>>())
    .bind(rentals.iter().map(|r| i64::from(r.placement.is_some())).collect::<Vec<_>>())
    .bind(now)
    .execute(tx.conn())
    .await?;
    let placed = |r: &NewRental| Some(r.placement.as_ref()?.leases(r.id, r.organisation, r.pool));
    let opened: Vec<_> = rentals.iter().filter_map(placed).flatten().collect();
    leases::open(tx, &opened, now).await
}

/// Gives devices to a rental that waited for them, and raises its epoch.
pub async fn place(tx: &mut Tx, rental: &Rental, placement: &Placement, now: OffsetDateTime) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE rentals SET state = 'provisioning', node_id = $4, provider_id = $5, epoch = epoch + 1, state_at = $6, version = version + 1
         WHERE id = $1 AND state = $2 AND version = $3 AND state IN ('pending', 'stopped')",
    )
    .bind(rental.id.uuid())
    .bind(rental.state.name().as_str())
    .bind(rental.version)
    .bind(placement.node.uuid())
    .bind(placement.provider.uuid())
    .bind(now)
    .execute(tx.conn())
    .await?;
    exactly_one("rental's placement", &result)?;
    leases::open(tx, &placement.leases(rental.id, rental.organisation, rental.pool), now).await
}

const fn first_state(rental: &NewRental) -> StateName {
    match rental.placement {
        Some(_) => StateName::Provisioning,
        None => StateName::Pending,
    }
}
