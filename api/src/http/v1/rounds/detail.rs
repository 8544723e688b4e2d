//! How a round looks in full: what was decided for whom, where strangers are ranks.

use std::collections::BTreeSet;

use scheduler::explain::Explanation;
use scheduler::plan::{Eviction, EvictionCause, Grant, Why};
use scheduler::record::hex;
use scheduler::world::DemandId;
use serde::Serialize;
use utoipa::ToSchema;

use super::{ExchangeView, RoundSummaryView};
use crate::app::open_round::Opened;
use crate::clock::from_at;
use crate::http::v1::explanations::ExplanationView;
use crate::records::{DropCause, PriceLine};
use crate::store::explanations::Explained;

/// A round in full.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Round)]
pub struct RoundView {
    /// The round in a line.
    #[serde(flatten)]
    pub summary: RoundSummaryView,
    /// What broke ties that nothing else broke.
    #[schema(example = "4503599627370495")]
    pub seed: String,
    /// The hash of the round before.
    pub previous_hash: String,
    /// The hash of the plan.
    pub plan_hash: String,
    /// The text that `hash` is over, together with the previous hash: the hashes of the record, of its public copy and of
    /// everything else that is stored about the round.
    pub header: String,
    /// Every class with its price and its devices.
    pub classes: Vec<RoundClassView>,
    /// How many demands had which outcome.
    pub outcomes: Vec<OutcomeView>,
    /// What the share policy `exchange` found; null under every other.
    pub exchange: Option<ExchangeView>,
    /// Gangs that run after it.
    pub grants: Vec<GrantView>,
    /// Gangs that were given notice.
    pub evictions: Vec<EvictionView>,
    /// What was planned and not applied, because the market had moved on.
    pub dropped: Vec<DroppedView>,
    /// Why each demand got what it got.
    pub explanations: Vec<ExplanationView>,
    /// The caller's own demands and rentals, with their ranks in this round.
    pub own: Vec<OwnView>,
}

/// A class in a round.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RoundClass)]
pub struct RoundClassView {
    /// The class.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// Its price per device and hour.
    #[schema(example = "1.85")]
    pub price_per_gpu_hour: String,
    /// Devices that the round could give out.
    pub supply_devices: i32,
    /// Devices that it gave out.
    pub granted_devices: i32,
    /// Devices wanted.
    pub demanded_devices: i32,
}

/// How many demands had an outcome.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Outcome)]
pub struct OutcomeView {
    /// The code of their explanations.
    #[schema(example = "outbid")]
    pub code: String,
    /// How many.
    pub count: usize,
}

/// A gang that runs after the round.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Grant)]
pub struct GrantView {
    /// Whose: an id if it is yours, a rank otherwise.
    #[schema(example = "bid_00000000000000000000000000000007")]
    pub demand: String,
    /// `on_demand`, `bid` or `job`.
    #[schema(example = "bid")]
    pub kind: &'static str,
    /// The class of its devices.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// How many.
    pub devices: usize,
    /// What each costs per hour.
    #[schema(example = "1.85")]
    pub price_per_gpu_hour: String,
    /// By which right: `on_demand`, `entitled`, `market`, or `idle` for devices that nobody else could use.
    #[schema(value_type = String, example = "market")]
    pub why: Why,
}

/// A gang that was given notice.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Eviction)]
pub struct EvictionView {
    /// Whose.
    #[schema(example = "bid_00000000000000000000000000000003")]
    pub demand: String,
    /// Why: `on_demand`, `entitled`, `outbid`, `budget`, `quota`, `withdrawn` or `moved`.
    #[schema(value_type = String, example = "outbid")]
    pub because: EvictionCause,
}

/// A part of the plan that was not applied.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Dropped)]
pub struct DroppedView {
    /// Whose.
    #[schema(example = "bid_00000000000000000000000000000003")]
    pub demand: String,
    /// Why: `demand_changed`, `rental_changed`, `device_gone`, `ask_changed` or `funds_gone`.
    #[schema(value_type = String, example = "demand_changed")]
    pub because: DropCause,
}

/// A demand or rental of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnIdentity)]
pub struct OwnView {
    /// Its id.
    #[schema(example = "bid_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// What strangers see instead.
    #[schema(example = "bid_00000000000000000000000000000007")]
    pub rank: String,
}

impl RoundView {
    /// The round as somebody sees it to whom the identities in `own` belong.
    pub(super) fn new(opened: &Opened, own: &BTreeSet<String>, currency: &str) -> Self {
        let show = |demand: DemandId| opened.pseudonyms.show(&demand.to_string(), own);
        let plan = &opened.record.plan;
        let applied: BTreeSet<_> = opened.applied.granted.iter().map(|granted| granted.demand).collect();
        let runs = |grant: &&Grant| grant.continues || applied.contains(&grant.demand);
        let noticed = |eviction: &&Eviction| opened.applied.noticed.contains(&eviction.rental);
        Self {
            summary: RoundSummaryView::from(opened.found.clone()),
            seed: opened.record.seed.to_string(),
            previous_hash: hex(&opened.found.previous_hash),
            plan_hash: hex(&opened.found.plan_hash),
            header: opened.header.clone(),
            classes: opened.found.summary.prices.iter().map(RoundClassView::from).collect(),
            outcomes: opened
                .found
                .summary
                .outcomes
                .iter()
                .map(|(code, count)| OutcomeView { code: code.clone(), count: *count })
                .collect(),
            exchange: plan.exchange.as_ref().map(|found| ExchangeView::new(found, show)),
            grants: plan.grants.iter().filter(runs).map(|grant| GrantView::new(grant, show(grant.demand))).collect(),
            evictions: plan
                .evictions
                .iter()
                .filter(noticed)
                .map(|eviction| EvictionView { demand: show(eviction.demand), because: eviction.because })
                .collect(),
            dropped: opened
                .applied
                .dropped
                .iter()
                .map(|dropped| DroppedView { demand: show(dropped.demand), because: dropped.because })
                .collect(),
            explanations: plan
                .explanations
                .iter()
                .map(|one| explanation(opened, one, show(one.demand), currency))
                .collect(),
            own: own
                .iter()
                .filter_map(|id| Some(OwnView { id: id.clone(), rank: opened.pseudonyms.get(id)?.to_owned() }))
                .collect(),
        }
    }
}

fn explanation(opened: &Opened, explanation: &Explanation, subject: String, currency: &str) -> ExplanationView {
    let explained = Explained {
        explanation: explanation.clone(),
        round_number: opened.record.number,
        explained_at: from_at(opened.record.at),
    };
    ExplanationView { subject, ..ExplanationView::new(&explained, currency) }
}

impl GrantView {
    fn new(grant: &Grant, demand: String) -> Self {
        Self {
            demand,
            kind: match grant.demand {
                DemandId::OnDemand(_) => "on_demand",
                DemandId::Bid(_) => "bid",
                DemandId::Job(_) => "job",
            },
            class_id: grant.class.to_string(),
            devices: grant.devices.len(),
            price_per_gpu_hour: grant.price.to_string(),
            why: grant.why,
        }
    }
}

impl From<&PriceLine> for RoundClassView {
    fn from(line: &PriceLine) -> Self {
        Self {
            class_id: line.class.to_string(),
            price_per_gpu_hour: line.price.to_string(),
            supply_devices: line.supply,
            granted_devices: line.granted,
            demanded_devices: line.demanded,
        }
    }
}
