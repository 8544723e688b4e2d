//! How an explanation looks on the wire.

use scheduler::Numbers;
use scheduler::world::PricePerHour;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::sentence;
use crate::clock::from_at;
use crate::http::wire;
use crate::store::explanations::Explained;

/// Why a demand got what it got.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Explanation)]
pub struct ExplanationView {
    /// The bid, the job or the rental.
    #[schema(example = "bid_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub subject: String,
    /// The round that decided.
    #[schema(example = 42)]
    pub round_number: i64,
    /// What happened: `granted_entitled`, `granted_market`, `granted_on_demand`, `outbid`, `no_capacity`,
    /// `gang_does_not_fit`, `over_quota`, `budget_paused`, `min_run_protected` or `awaiting_notice`.
    #[schema(example = "outbid")]
    pub code: &'static str,
    /// The same in words.
    #[schema(
        example = "The price of h100-80gb is 2.50 USD and its limit 2.00 USD. A limit of 2.500001 USD would have won."
    )]
    pub sentence: String,
    /// The numbers behind it.
    pub numbers: Vec<NumberView>,
    /// When it was decided.
    #[serde(with = "wire::timestamp")]
    pub explained_at: OffsetDateTime,
}

/// One number of an explanation.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExplanationNumber)]
pub struct NumberView {
    /// What it is.
    #[schema(example = "limit_to_win")]
    pub name: &'static str,
    /// The value.
    #[schema(example = "2.500001")]
    pub value: String,
    /// What it counts.
    #[schema(example = "USD per device and hour")]
    pub unit: String,
}

impl ExplanationView {
    /// The view of an explanation whose prices are in `currency`.
    #[must_use]
    pub fn new(explained: &Explained, currency: &str) -> Self {
        let explanation = &explained.explanation;
        Self {
            subject: explanation.demand.to_string(),
            round_number: explained.round_number,
            code: explanation.code.as_str(),
            sentence: sentence(explanation.code, &explanation.numbers, currency),
            numbers: numbers(&explanation.numbers, currency),
            explained_at: explained.explained_at,
        }
    }
}

fn numbers(numbers: &Numbers, currency: &str) -> Vec<NumberView> {
    let number = |name, value: String, unit: &str| NumberView { name, value, unit: unit.to_owned() };
    let per_hour = format!("{currency} per device and hour");
    let price = |name, price: Option<PricePerHour>| price.map(|price| number(name, price.to_string(), &per_hour));
    let mut told = vec![number("gang", numbers.gang.to_string(), "devices")];
    told.extend(numbers.class.as_ref().map(|class| number("class_id", class.to_string(), "class")));
    told.extend(price("price_per_gpu_hour", numbers.price));
    told.extend(price("limit_per_gpu_hour", numbers.limit));
    told.extend(price("limit_to_win_per_gpu_hour", numbers.limit_to_win));
    told.extend(numbers.largest_free_block.map(|block| number("largest_free_block", block.to_string(), "devices")));
    told.extend(numbers.until.map(|until| number("until", wire::timestamp::format(from_at(until)), "time")));
    if let Some(quota) = numbers.quota {
        told.push(number("quota_held", quota.held.to_string(), "devices"));
        told.push(number("quota_allowed", quota.allowed.to_string(), "devices"));
    }
    told
}
