//! `POST /v1/bids/dry-run`

use actix_web::post;
use actix_web::web::{self, Data};
use serde::Serialize;
use utoipa::ToSchema;

use super::place::NewBid;
use crate::app::dry_run::Outlook;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Read;
use crate::http::v1::explanations::sentence;

/// What a bid would get.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DryRun)]
pub struct DryRunView {
    /// Whether it would win if the pool were cleared now.
    pub would_win: bool,
    /// The class that it would run on, or came closest to.
    #[schema(example = "h100-80gb")]
    pub class_id: Option<String>,
    /// What one device of it would cost per hour.
    #[schema(example = "1.85")]
    pub price_per_gpu_hour: Option<String>,
    /// The least limit that would win.
    #[schema(example = "1.850001")]
    pub winning_limit_per_gpu_hour: Option<String>,
    /// The code that its explanation would have.
    #[schema(example = "granted_market")]
    pub code: &'static str,
    /// The same in words.
    #[schema(example = "It runs at the market's price: 2 devices of h100-80gb at 1.85 USD per device and hour.")]
    pub sentence: String,
    /// What would be set aside when it is placed.
    #[schema(example = "5.00")]
    pub hold: String,
    /// The most that it could cost per hour.
    #[schema(example = "5.00")]
    pub total_per_hour_max: String,
    /// The currency.
    #[schema(example = "USD")]
    pub currency: String,
    /// The round that this is about: the next one.
    #[schema(example = 4712)]
    pub round_number: i64,
}

/// Try a bid
///
/// The body of a bid, against the live book: whether it would win if the pool were cleared now, at what price, and with
/// which limit it would. Nothing is placed or set aside. The book is at most two seconds old.
#[utoipa::path(tag = "demand", operation_id = "dry_run_bid", request_body = NewBid, responses((status = 200, body = DryRunView), Refusals))]
#[post("/v1/bids/dry-run")]
pub async fn dry_run(
    allowed: Allowed<Read>,
    body: Json<NewBid>,
    state: Data<State>,
) -> Result<web::Json<DryRunView>, Problem> {
    let order = body.0.parse()?;
    let outlook = state.dry_runs.run(&state.desk, &allowed.caller, &order).await?;
    Ok(web::Json(DryRunView::from(outlook)))
}

impl From<Outlook> for DryRunView {
    fn from(outlook: Outlook) -> Self {
        let total_per_hour_max = outlook.total_per_hour_max().to_string();
        let numbers = &outlook.explanation.numbers;
        Self {
            would_win: outlook.would_win,
            class_id: numbers.class.as_ref().map(ToString::to_string),
            price_per_gpu_hour: numbers.price.map(|price| price.to_string()),
            winning_limit_per_gpu_hour: outlook.winning_limit.map(|limit| limit.to_string()),
            code: outlook.explanation.code.as_str(),
            sentence: sentence(outlook.explanation.code, numbers, &outlook.placing.currency),
            hold: outlook.placing.hold.to_string(),
            total_per_hour_max,
            currency: outlook.placing.currency,
            round_number: outlook.round_number,
        }
    }
}
