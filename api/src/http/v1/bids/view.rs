//! How a bid looks on the wire.

use scheduler::world::{ClassId, Micros, PricePerHour};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::place_bid::Placing;
use crate::app::show_bids::ShownBid;
use crate::bid::{Action, Bid, StateName};
use crate::http::v1::explanations::ExplanationView;
use crate::http::wire;
use crate::store::bids::Booked;

/// A bid and how it stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Bid)]
pub struct BidView {
    /// Identity.
    #[schema(example = "bid_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// The pool whose rounds it takes part in.
    #[schema(example = "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub pool_id: String,
    /// The GPU request.
    #[schema(example = "H100,A100:80GB:2")]
    pub gpu: String,
    /// The classes that the request matched when it was placed: any of them does.
    #[schema(example = json!(["a100-80gb", "h100-80gb"]))]
    pub class_ids: Vec<String>,
    /// Devices, all or nothing, on one node.
    #[schema(example = 2)]
    pub gang: i32,
    /// The most it pays for one device and hour.
    #[schema(example = "2.50")]
    pub limit_per_gpu_hour: String,
    /// The currency of all amounts.
    #[schema(example = "USD")]
    pub currency: String,
    /// Whether it goes back to the book after it lost its devices.
    pub reenter: bool,
    /// What it runs.
    #[schema(example = "python train.py")]
    pub command: Option<String>,
    /// Where it stands.
    pub state: StateName,
    /// The rental that serves it, or served it last.
    #[schema(example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub rental_id: Option<String>,
    /// What is set aside for it.
    #[schema(example = "5.00")]
    pub hold: String,
    /// The last prices of its classes.
    pub market_prices: Vec<MarketPriceView>,
    /// Why it got what it got in the last round that looked at it.
    pub explanation: Option<ExplanationView>,
    /// What can be done with it now.
    pub actions: &'static [Action],
    /// When it was placed.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it ends by itself.
    #[serde(with = "wire::timestamp::option")]
    pub ends_at: Option<OffsetDateTime>,
    /// When it was over.
    #[serde(with = "wire::timestamp::option")]
    pub closed_at: Option<OffsetDateTime>,
    /// Raised by every change.
    #[schema(example = 1)]
    pub version: i64,
}

/// The last price of a class.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MarketPrice)]
pub struct MarketPriceView {
    /// The class.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// Per device and hour; null before the first round.
    #[schema(example = "2.10")]
    pub price_per_gpu_hour: Option<String>,
}

impl BidView {
    /// The view of a bid, what is held for it in which currency, and what the market says.
    pub fn new(bid: &Bid, hold: Micros, currency: &str, prices: &[(ClassId, Option<PricePerHour>)]) -> Self {
        Self {
            id: bid.id.to_string(),
            pool_id: bid.pool.to_string(),
            gpu: bid.request.clone(),
            class_ids: bid.classes.iter().map(ToString::to_string).collect(),
            gang: bid.gang,
            limit_per_gpu_hour: bid.limit.to_string(),
            currency: currency.to_owned(),
            reenter: bid.reenter,
            command: bid.command.clone(),
            state: bid.state.name(),
            rental_id: bid.rental.map(|rental| rental.to_string()),
            hold: hold.to_string(),
            market_prices: prices.iter().map(MarketPriceView::from).collect(),
            explanation: None,
            actions: bid.state.actions(),
            created_at: bid.created_at,
            ends_at: bid.ends_at,
            closed_at: bid.state.closed_at(),
            version: bid.version,
        }
    }
}

impl From<&Placing> for BidView {
    fn from(placing: &Placing) -> Self {
        Self::new(&placing.bid, placing.hold, &placing.currency, &placing.prices)
    }
}

impl From<ShownBid> for BidView {
    fn from(shown: ShownBid) -> Self {
        let Booked { bid, currency, held } = &shown.booked;
        let explanation = shown.explained.map(|explained| ExplanationView::new(&explained, currency));
        Self { explanation, ..Self::new(bid, *held, currency, &shown.prices) }
    }
}

impl From<&(ClassId, Option<PricePerHour>)> for MarketPriceView {
    fn from((class, price): &(ClassId, Option<PricePerHour>)) -> Self {
        Self { class_id: class.to_string(), price_per_gpu_hour: price.map(|price| price.to_string()) }
    }
}
