//! A rental as it was loaded.

use scheduler::world::DemandId;
use scheduler::world::class::ClassId;
use scheduler::world::ids::{AskId, BidId, JobId, NodeId, OrganisationId, PoolId, ProviderId, QuoteId, RentalId};
use scheduler::world::money::{Micros, PricePerHour};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::rental::{EndReason, RentalKind, RentalState, StateName};
use crate::store::{StoreError, Tx};

/// A rental.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rental {
    /// Identity.
    pub id: RentalId,
    /// Who pays.
    pub organisation: OrganisationId,
    /// The pool it draws on.
    pub pool: PoolId,
    /// The pool's currency.
    pub currency: String,
    /// Who earns; none while it waits for its first devices.
    pub provider: Option<ProviderId>,
    /// Where it is or was; none while it waits for its first devices.
    pub node: Option<NodeId>,
    /// The class of all its devices.
    pub class: ClassId,
    /// What it serves.
    pub origin: Origin,
    /// How many devices, all or nothing.
    pub gang: i32,
    /// What to run in it; a shell can be opened in any case.
    pub command: Option<String>,
    /// Per device and hour.
    pub price: PricePerHour,
    /// The platform's part, in hundredths of a percent.
    pub fee_bps: i32,
    /// Where it stands.
    pub state: RentalState,
    /// The tenant's own bound on its duration.
    pub max_duration_seconds: Option<i64>,
    /// The tenant's own bound on its cost.
    pub max_spend: Option<Micros>,
    /// The meter runs and time is billed up to here; none when the meter stands.
    pub metered_to: Option<OffsetDateTime>,
    /// Billed so far.
    pub charged: Micros,
    /// Raised on every placement; what an older epoch reports is refused.
    pub epoch: i64,
    /// When it was asked for.
    pub created_at: OffsetDateTime,
    /// Since when it is in its state.
    pub state_at: OffsetDateTime,
    /// When it last became usable.
    pub usable_at: Option<OffsetDateTime>,
    /// For guarded writes.
    pub version: i64,
}

/// What a rental serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// An ask that was accepted, perhaps at a quoted price.
    OnDemand {
        /// The ask.
        ask: AskId,
        /// The quote whose price was honoured.
        quote: Option<QuoteId>,
    },
    /// A bid.
    Bid(BidId),
    /// A job.
    Job(JobId),
}

impl Origin {
    /// The kind of demand.
    #[must_use]
    pub const fn kind(&self) -> RentalKind {
        match self {
            Self::OnDemand { .. } => RentalKind::OnDemand,
            Self::Bid(_) => RentalKind::Bid,
            Self::Job(_) => RentalKind::Job,
        }
    }
}

impl Rental {
    /// The demand that it serves, which is also the subject of the hold that pays for it.
    #[must_use]
    pub const fn demand(&self) -> DemandId {
        match self.origin {
            Origin::OnDemand { .. } => DemandId::OnDemand(self.id),
            Origin::Bid(bid) => DemandId::Bid(bid),
            Origin::Job(job) => DemandId::Job(job),
        }
    }

    /// The rental once it was moved to that state.
    #[must_use]
    pub fn moved(self, state: RentalState, now: OffsetDateTime) -> Self {
        Self { state, state_at: now, version: self.version + 1, ..self }
    }

    /// When the tenant's own bound on its duration is reached: counted from when it last became usable.
    #[must_use]
    pub fn ends_at(&self) -> Option<OffsetDateTime> {
        let bound = time::Duration::seconds(self.max_duration_seconds?);
        self.usable_at?.checked_add(bound)
    }
}

/// The rental of that id, in this organisation.
pub async fn get(tx: &mut Tx, organisation: OrganisationId, id: RentalId) -> Result<Option<Rental>, StoreError> {
    let row: Option<Row> = sqlx::query_as(
        "SELECT r.*, p.currency FROM rentals r JOIN pools p ON p.id = r.pool_id WHERE r.id = $1 AND r.organisation_id = $2",
    )
    .bind(id.uuid())
    .bind(organisation.uuid())
    .fetch_optional(tx.conn())
    .await?;
    row.map(Rental::try_from).transpose()
}

/// The rental of that id, locked until the transaction ends. Whoever changes a rental loads it by this.
pub async fn lock(tx: &mut Tx, id: RentalId) -> Result<Option<Rental>, StoreError> {
    Ok(lock_all(tx, &[id]).await?.pop())
}

/// Rentals, locked in the order of their ids until the transaction ends.
pub async fn lock_all(tx: &mut Tx, ids: &[RentalId]) -> Result<Vec<Rental>, StoreError> {
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT r.*, p.currency FROM rentals r JOIN pools p ON p.id = r.pool_id WHERE r.id = ANY($1) ORDER BY r.id FOR UPDATE OF r",
    )
    .bind(ids.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    rows.into_iter().map(Rental::try_from).collect()
}

/// Which rentals to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// All that ever were.
    All,
    /// Those that have not ended.
    Live,
    /// Those in one state.
    In(StateName),
}

impl Which {
    const fn state(self) -> Option<StateName> {
        match self {
            Self::In(state) => Some(state),
            Self::All | Self::Live => None,
        }
    }

    fn lives(self) -> bool {
        self == Self::Live || self.state().is_some_and(|state| state != StateName::Ended)
    }
}

/// An organisation's rentals, newest first.
pub async fn list(
    tx: &mut Tx,
    organisation: OrganisationId,
    which: Which,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<Rental>, StoreError> {
    // What lives is few among all that ever was, and has an index of its own: where only that is asked for, the
    // statement says so in a constant.
    let query = if which.lives() {
        sqlx::query_as(
            "SELECT r.*, p.currency FROM rentals r JOIN pools p ON p.id = r.pool_id
             WHERE r.organisation_id = $1 AND r.state <> 'ended' AND ($2::text IS NULL OR r.state = $2)
               AND ($3::uuid IS NULL OR r.id < $3)
             ORDER BY r.id DESC LIMIT $4",
        )
    } else {
        sqlx::query_as(
            "SELECT r.*, p.currency FROM rentals r JOIN pools p ON p.id = r.pool_id
             WHERE r.organisation_id = $1 AND ($2::text IS NULL OR r.state = $2) AND ($3::uuid IS NULL OR r.id < $3)
             ORDER BY r.id DESC LIMIT $4",
        )
    };
    let rows: Vec<Row> = query
        .bind(organisation.uuid())
        .bind(which.state().map(StateName::as_str))
        .bind(before)
        .bind(rows)
        .fetch_all(tx.conn())
        .await?;
    rows.into_iter().map(Rental::try_from).collect()
}

/// The columns, before they are checked.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct Row {
    id: Uuid,
    organisation_id: Uuid,
    pool_id: Uuid,
    currency: String,
    provider_id: Option<Uuid>,
    node_id: Option<Uuid>,
    class_id: String,
    bid_id: Option<Uuid>,
    job_id: Option<Uuid>,
    ask_id: Option<Uuid>,
    quote_id: Option<Uuid>,
    gang: i32,
    command: Option<String>,
    price_micros_per_hour: i64,
    fee_bps: i32,
    state: String,
    reason: Option<String>,
    max_duration_seconds: Option<i64>,
    max_spend_micros: Option<i64>,
    metered_to: Option<OffsetDateTime>,
    charged_micros: i64,
    epoch: i64,
    notice_until: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
    state_at: OffsetDateTime,
    usable_at: Option<OffsetDateTime>,
    ended_at: Option<OffsetDateTime>,
    version: i64,
}

impl Row {
    fn state(&self) -> Option<RentalState> {
        Some(match StateName::parse(&self.state)? {
            StateName::Pending => RentalState::Pending,
            StateName::Provisioning => RentalState::Provisioning,
            StateName::Pulling => RentalState::Pulling,
            StateName::Starting => RentalState::Starting,
            StateName::Running => RentalState::Running { usable_at: self.usable_at? },
            // A notice that came before the rental was usable leaves the meter standing.
            StateName::Notice => {
                RentalState::Notice { until: self.notice_until?, usable_at: self.metered_to.and(self.usable_at) }
            }
            StateName::Stopping => RentalState::Stopping,
            StateName::Stopped => RentalState::Stopped,
            StateName::Ended => {
                RentalState::Ended { reason: EndReason::parse(self.reason.as_deref()?)?, at: self.ended_at? }
            }
        })
    }

    fn origin(&self) -> Option<Origin> {
        match (self.ask_id, self.bid_id, self.job_id) {
            (Some(ask), None, None) => Some(Origin::OnDemand { ask: ask.into(), quote: self.quote_id.map(Into::into) }),
            (None, Some(bid), None) => Some(Origin::Bid(bid.into())),
            (None, None, Some(job)) => Some(Origin::Job(job.into())),
            _ => None,
        }
    }
}

impl TryFrom<Row> for Rental {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let corrupt = |what: &str| StoreError::corrupt("rental", format!("{what} of {}", row.id));
        Ok(Self {
            id: row.id.into(),
            organisation: row.organisation_id.into(),
            pool: row.pool_id.into(),
            provider: row.provider_id.map(Into::into),
            node: row.node_id.map(Into::into),
            class: row.class_id.parse().map_err(|_| corrupt("class"))?,
            origin: row.origin().ok_or_else(|| corrupt("origin"))?,
            gang: row.gang,
            price: PricePerHour::from_micros(row.price_micros_per_hour).map_err(|_| corrupt("price"))?,
            fee_bps: row.fee_bps,
            state: row.state().ok_or_else(|| corrupt("state"))?,
            max_duration_seconds: row.max_duration_seconds,
            max_spend: row.max_spend_micros.map(Micros::new),
            metered_to: row.metered_to,
            charged: Micros::new(row.charged_micros),
            epoch: row.epoch,
            created_at: row.created_at,
            state_at: row.state_at,
            usable_at: row.usable_at,
            version: row.version,
            currency: row.currency,
            command: row.command,
        })
    }
}
