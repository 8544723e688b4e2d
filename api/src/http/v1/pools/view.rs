//! How a pool looks on the wire.

use scheduler::world::money::{Micros, PricePerHour};
use scheduler::world::rules::{PriceRule, SharePolicy, Tilt};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::settings::{PriceRuleName, SharePolicyName, TiltName};
use crate::app::market_pool::{MarketPool, change_bps};
use crate::http::wire;
use crate::job::spell_cap;
use crate::store::market::ClassFigures;

/// Nodes in one trust and network domain, cleared together: one market.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Pool)]
pub struct PoolView {
    /// Identity.
    #[schema(example = "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// Its name.
    #[schema(example = "main")]
    pub name: String,
    /// The currency of everything in it.
    #[schema(example = "USD")]
    pub currency: String,
    /// How fair-share jobs divide what is theirs.
    #[schema(value_type = SharePolicyName)]
    pub share_policy: SharePolicy,
    /// What `finish_time_fair` leans to; other policies have no tilt.
    #[schema(value_type = TiltName)]
    pub tilt: Tilt,
    /// How the rest is priced.
    #[schema(value_type = PriceRuleName)]
    pub price_rule: PriceRule,
    /// Time between rounds.
    #[schema(example = 60)]
    pub round_seconds: i32,
    /// How long a preempted rental keeps running.
    #[schema(example = 60)]
    pub notice_seconds: i32,
    /// How long a rental runs before it can be preempted.
    #[schema(example = 300)]
    pub min_run_seconds: i32,
    /// What a restart costs a job.
    #[schema(example = 10)]
    pub restart_seconds: i32,
    /// The marketplace's part of every charge, in hundredths of a percent. It is inside the price.
    #[schema(example = 500)]
    pub fee_bps: i32,
    /// The part of every class that fair-share jobs own together: a decimal from 0 to 1.
    #[schema(example = "0.30")]
    pub phi: String,
    /// The largest limit that a bid may carry.
    #[schema(example = "100.00")]
    pub limit_cap_per_gpu_hour: String,
    /// The most that the weights of its jobs may add up to, so that it can promise finish times; null: no promises.
    #[schema(example = "16")]
    pub admission_cap: Option<String>,
    /// The last round, if there was one.
    pub last_round: Option<LastRoundView>,
    /// When the next round is due at the latest; null before the first.
    #[serde(with = "wire::timestamp::option")]
    pub next_round_at: Option<OffsetDateTime>,
    /// The classes it has devices of.
    pub classes: Vec<PoolClassView>,
    /// Nodes that are not retired.
    pub nodes: i64,
    /// Their devices.
    pub devices: i64,
    /// Rentals that have not ended.
    pub live_rentals: i64,
    /// Bids that wait for devices.
    pub open_bids: i64,
    /// Jobs that are not closed.
    pub live_jobs: i64,
    /// Raised by every change of a setting.
    pub version: i64,
}

/// A round that was cleared.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LastRound)]
pub struct LastRoundView {
    /// Counted from 1.
    #[schema(example = 4711)]
    pub number: i64,
    /// When.
    #[serde(with = "wire::timestamp")]
    pub cleared_at: OffsetDateTime,
}

/// One class in a pool: how much there is and what it costs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PoolClass)]
pub struct PoolClassView {
    /// Which class.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// The model.
    #[schema(example = "H100")]
    pub model: String,
    /// Who makes it.
    #[schema(example = "nvidia")]
    pub vendor: String,
    /// Memory of one device.
    #[schema(example = 81920)]
    pub memory_mib: i64,
    /// Set for a slice.
    pub mig_profile: Option<String>,
    /// The last round's price; null before the first.
    #[schema(example = "1.85")]
    pub price_per_gpu_hour: Option<String>,
    /// The lowest posted price of on-demand use.
    #[schema(example = "2.50")]
    pub on_demand_from_per_gpu_hour: Option<String>,
    /// The least that an interruptible bid must carry to run anywhere.
    #[schema(example = "1.10")]
    pub floor_from_per_gpu_hour: Option<String>,
    /// What the entitled part of a fair-share job pays: the operator's price, or else the lowest floor.
    #[schema(example = "1.10")]
    pub entitlement_price_per_gpu_hour: Option<String>,
    /// Devices on nodes that are not retired.
    pub devices: i64,
    /// Those that could be given out now.
    pub devices_free: i64,
    /// Those in somebody's hands.
    pub devices_leased: i64,
    /// Change of the price within 24 hours, in hundredths of a percent; null without such a history.
    #[schema(example = -250)]
    pub change_24h_bps: Option<i64>,
}

impl From<MarketPool> for PoolView {
    fn from(market: MarketPool) -> Self {
        let next_round_at = market.next_round_at();
        let MarketPool { pool, activity, classes } = market;
        let settings = pool.settings;
        Self {
            id: pool.id.to_string(),
            name: pool.name,
            currency: pool.currency,
            share_policy: settings.share_policy,
            tilt: settings.tilt,
            price_rule: settings.price_rule,
            round_seconds: settings.round_seconds,
            notice_seconds: settings.notice_seconds,
            min_run_seconds: settings.min_run_seconds,
            restart_seconds: settings.restart_seconds,
            fee_bps: settings.fee_bps,
            phi: Micros::new(settings.phi_ppm.into()).to_string(),
            limit_cap_per_gpu_hour: settings.limit_cap.to_string(),
            admission_cap: settings.admission_cap_milli.map(spell_cap),
            last_round: activity.last_round.map(|(number, cleared_at)| LastRoundView { number, cleared_at }),
            next_round_at,
            classes: classes.into_iter().map(PoolClassView::from).collect(),
            nodes: activity.nodes,
            devices: activity.devices,
            live_rentals: activity.live_rentals,
            open_bids: activity.open_bids,
            live_jobs: activity.live_jobs,
            version: pool.version,
        }
    }
}

impl From<ClassFigures> for PoolClassView {
    fn from(figures: ClassFigures) -> Self {
        let written = |price: Option<PricePerHour>| price.map(|price| price.to_string());
        Self {
            change_24h_bps: change_bps(&figures),
            class_id: figures.class.id.to_string(),
            model: figures.class.model,
            vendor: figures.class.vendor,
            memory_mib: figures.class.memory_mib,
            mig_profile: figures.class.mig_profile,
            price_per_gpu_hour: written(figures.price),
            on_demand_from_per_gpu_hour: written(figures.on_demand_from),
            floor_from_per_gpu_hour: written(figures.floor_from),
            entitlement_price_per_gpu_hour: written(figures.entitlement.or(figures.floor_from)),
            devices: figures.devices,
            devices_free: figures.devices_free,
            devices_leased: figures.devices_leased,
        }
    }
}
