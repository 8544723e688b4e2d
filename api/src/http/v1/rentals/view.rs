//! How a rental looks on the wire.

use scheduler::world::ids::OrganisationId;
use scheduler::world::money::Micros;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::ledger::runway::Runway;
use crate::node::Adapter;
use crate::rental::{Action, BillingClass, EndReason, RentalKind, StateName};
use crate::store::rentals::{self, Details, HeldDevice, Origin, Rental};
use crate::store::{StoreError, Tx, wallet};

/// Devices in a tenant's hands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Rental)]
pub struct RentalView {
    /// Identity.
    #[schema(example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// What it serves.
    pub kind: RentalKind,
    /// The ask, the bid or the job that it serves.
    #[schema(example = "ask_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub origin_id: String,
    /// The pool it draws on.
    #[schema(example = "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub pool_id: String,
    /// Who provides the node; null while it waits for devices.
    pub provider: Option<ProviderName>,
    /// The node; null while it waits for devices.
    pub node_id: Option<String>,
    /// The node's name.
    #[schema(example = "north-03")]
    pub node_name: Option<String>,
    /// The class of all its devices.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// The model of its devices.
    #[schema(example = "H100")]
    pub model: String,
    /// How many devices, all or nothing.
    #[schema(example = 2)]
    pub gang: i32,
    /// The devices that it has now.
    pub devices: Vec<RentalDevice>,
    /// Where it stands.
    pub state: StateName,
    /// Why it ended; null while it lives.
    pub reason: Option<EndReason>,
    /// What is billed now.
    pub billing_class: BillingClass,
    /// The price of one device.
    #[schema(example = "2.50")]
    pub price_per_gpu_hour: String,
    /// What is billed per hour now: nothing while it is not usable, and nothing but storage while it is stopped, which has
    /// no price yet.
    #[schema(example = "5.00")]
    pub price_per_hour: String,
    /// The currency of all amounts.
    #[schema(example = "USD")]
    pub currency: String,
    /// Billed so far.
    #[schema(example = "0.416667")]
    pub charged: String,
    /// Time is billed up to here, and goes on at `price_per_hour`; null when nothing is billed.
    #[serde(with = "wire::timestamp::option")]
    pub metered_to: Option<OffsetDateTime>,
    /// What is set aside for it.
    #[schema(example = "5.00")]
    pub hold: String,
    /// How long the money lasts; null while nothing is billed.
    #[schema(example = 86400)]
    pub runway_seconds: Option<i64>,
    /// When it must have left; null without notice.
    #[serde(with = "wire::timestamp::option")]
    pub notice_until: Option<OffsetDateTime>,
    /// What runs in it; null when only shells do.
    #[schema(example = "python train.py")]
    pub command: Option<String>,
    /// Whether its node can open shells.
    pub shell: bool,
    /// What can be done with it right now.
    pub actions: Vec<Action>,
    /// When it was asked for.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
    /// Since when it is in its state.
    #[serde(with = "wire::timestamp")]
    pub state_at: OffsetDateTime,
    /// When it last became usable; null before.
    #[serde(with = "wire::timestamp::option")]
    pub usable_at: Option<OffsetDateTime>,
    /// When it ended; null while it lives.
    #[serde(with = "wire::timestamp::option")]
    pub ended_at: Option<OffsetDateTime>,
    /// Raised by every change.
    pub version: i64,
}

/// Who provides a node.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ProviderName {
    /// Identity.
    #[schema(example = "prv_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// Its public name.
    #[schema(example = "Campus North")]
    pub name: String,
}

/// A device of a rental.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RentalDevice {
    /// Identity.
    #[schema(example = "dev_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// What its driver calls it.
    #[schema(example = "GPU-6f1c7f0e-0d5c-4a3f-8f39-0d8a5b7c9e21")]
    pub uuid: String,
    /// Its place in the node.
    pub slot: i32,
}

impl From<HeldDevice> for RentalDevice {
    fn from(device: HeldDevice) -> Self {
        Self { id: device.id().to_string(), uuid: device.uuid, slot: device.slot }
    }
}

/// One rental as its organisation sees it.
pub async fn render(tx: &mut Tx, rental: Rental) -> Result<RentalView, StoreError> {
    let organisation = rental.organisation;
    let view = render_all(tx, organisation, vec![rental]).await?.pop();
    view.ok_or_else(|| StoreError::corrupt("rental", "it has no class"))
}

/// An organisation's rentals as it sees them, in two statements.
pub async fn render_all(
    tx: &mut Tx,
    organisation: OrganisationId,
    rentals: Vec<Rental>,
) -> Result<Vec<RentalView>, StoreError> {
    let ids: Vec<_> = rentals.iter().map(|rental| rental.id).collect();
    let mut details = rentals::details(tx, &ids).await?;
    let wallet = wallet::find(tx, organisation).await?;
    let money = wallet.available.checked_add(wallet.held_for_running).unwrap_or(wallet.available);
    let runway = Runway { money, burn_per_hour: wallet.wallet_burn_per_hour };
    let render = |rental: Rental| {
        let details = details.remove(&rental.id)?;
        Some(view(rental, details, runway))
    };
    Ok(rentals.into_iter().filter_map(render).collect())
}

fn view(rental: Rental, details: Details, wallet: Runway) -> RentalView {
    let billing_class = rental.state.billing_class();
    let billed = billing_class == BillingClass::Compute;
    let per_hour = if billed { rental.price.micros().saturating_mul(i64::from(rental.gang)) } else { 0 };
    let own = Runway { money: details.hold, burn_per_hour: Micros::new(per_hour) };
    let runway = if rental.origin.kind() == RentalKind::Job { own } else { wallet };
    let actions = rental.state.actions(rental.origin.kind());
    let shell = details.adapter == Some(Adapter::Agent);
    RentalView {
        id: rental.id.to_string(),
        kind: rental.origin.kind(),
        origin_id: match rental.origin {
            Origin::OnDemand { ask, .. } => ask.to_string(),
            Origin::Bid(bid) => bid.to_string(),
            Origin::Job(job) => job.to_string(),
        },
        pool_id: rental.pool.to_string(),
        provider: rental
            .provider
            .zip(details.provider_name)
            .map(|(id, name)| ProviderName { id: id.to_string(), name }),
        node_id: rental.node.map(|id| id.to_string()),
        node_name: details.node_name,
        class_id: rental.class.to_string(),
        model: details.model,
        gang: rental.gang,
        devices: details.devices.into_iter().map(Into::into).collect(),
        state: rental.state.name(),
        reason: rental.state.reason(),
        billing_class,
        price_per_gpu_hour: rental.price.to_string(),
        price_per_hour: Micros::new(per_hour).to_string(),
        currency: rental.currency,
        charged: rental.charged.to_string(),
        metered_to: rental.metered_to.filter(|_| billed),
        hold: details.hold.to_string(),
        runway_seconds: if billed { runway.seconds() } else { None },
        notice_until: rental.state.notice_until(),
        command: rental.command,
        shell,
        actions: actions.into_iter().filter(|action| shell || *action != Action::OpenShell).collect(),
        created_at: rental.created_at,
        state_at: rental.state_at,
        usable_at: rental.usable_at,
        ended_at: rental.state.ended_at(),
        version: rental.version,
    }
}
