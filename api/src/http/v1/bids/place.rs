//! `POST /v1/bids`

use actix_web::post;
use actix_web::web::Data;
use serde::Deserialize;
use utoipa::ToSchema;

use super::BidView;
use crate::app::Command;
use crate::app::bid_desk::DeskError;
use crate::app::once::Reply;
use crate::app::place_bid::{BidOrder, PlaceBidError, place_bid};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, IdempotencyKey, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::PlaceBids;
use crate::http::{State, wire};
use crate::loops::LoopName;

/// A bid to be placed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBid {
    /// The pool; the oldest that has what is asked for if absent.
    #[schema(example = "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pool_id: Option<String>,
    /// Which devices, and how many on one node: models, memory, count. Of a range of counts the least is meant.
    #[schema(example = "H100,A100:80GB:2")]
    gpu: String,
    /// The most that one device may cost per hour.
    #[schema(example = "2.50")]
    limit_per_gpu_hour: String,
    /// When the bid ends by itself; never if absent.
    #[schema(example = "2026-01-31T12:00:00Z")]
    ends_at: Option<String>,
    /// Whether it goes back to the book after it lost its devices.
    #[serde(default = "yes")]
    #[schema(default = true)]
    reenter: bool,
    /// What to run, as a shell command line.
    #[schema(example = "python train.py", max_length = 8192)]
    command: Option<String>,
}

/// Place a bid
///
/// It waits in the pool's book and gets its devices in the first round whose price is at or below its limit. An hour at
/// the limit, or the pool's minimum run if that is longer, is set aside at once; what it pays is the round's price.
#[utoipa::path(tag = "demand", operation_id = "place_bid", params(IdempotencyKey), request_body = NewBid,
    responses((status = 201, body = BidView), Refusals))]
#[post("/v1/bids")]
pub async fn place(
    allowed: Allowed<PlaceBids>,
    key: IdempotencyKey,
    body: Json<NewBid>,
    state: Data<State>,
) -> Result<Reply, Problem> {
    let order = body.0.parse()?;
    let placed = |placing: &_| Reply::new(201, &BidView::from(placing));
    let reply = place_bid(&state.desk, &allowed.caller, &key.0, &order, placed).await?;
    state.wake.signal(LoopName::Round);
    Ok(reply)
}

impl NewBid {
    /// A malformed body is refused here, before anything is looked at, and consumes no key.
    pub(super) fn parse(&self) -> Result<BidOrder, Problem> {
        let invalid = |detail: &dyn ToString, field| Problem::new(Code::InvalidValue, detail.to_string()).field(field);
        let pool = self.pool_id.as_deref().map(str::parse).transpose().map_err(|error| invalid(&error, "pool_id"))?;
        let gpu = self.gpu.parse().map_err(|error| Problem::new(Code::GpuRequestInvalid, error).field("gpu"))?;
        let limit = self.limit_per_gpu_hour.parse().map_err(|error| invalid(&error, "limit_per_gpu_hour"))?;
        let ends_at = self.ends_at.as_deref().map(|text| {
            wire::timestamp::parse(text).ok_or_else(|| invalid(&"a time looks like 2026-01-31T12:00:00Z", "ends_at"))
        });
        let command = self.command.as_deref().map(|text| {
            Command::parse(text).ok_or_else(|| invalid(&"a command has 1 to 8192 bytes and no NUL", "command"))
        });
        Ok(BidOrder {
            pool,
            gpu,
            limit,
            ends_at: ends_at.transpose()?,
            reenter: self.reenter,
            command: command.transpose()?,
        })
    }
}

const fn yes() -> bool {
    true
}

impl From<PlaceBidError> for Problem {
    fn from(error: PlaceBidError) -> Self {
        let refused = |code, field| Self::new(code, &error).field(field);
        match error {
            PlaceBidError::NoSuchPool => refused(Code::InvalidValue, "pool_id"),
            PlaceBidError::NoSuchClass(_) => refused(Code::NoSuchClass, "gpu"),
            PlaceBidError::GangTooLarge => refused(Code::GpuRequestInvalid, "gpu"),
            PlaceBidError::LimitAboveCap { .. } => refused(Code::BidLimitAboveCap, "limit_per_gpu_hour"),
            PlaceBidError::LimitBelowFloor { .. } => refused(Code::BidLimitBelowFloor, "limit_per_gpu_hour"),
            PlaceBidError::EndsAt => refused(Code::InvalidValue, "ends_at"),
            PlaceBidError::Desk(desk) => desk.into(),
            PlaceBidError::Once(once) => once.into(),
            PlaceBidError::Store(store) => store.into(),
        }
    }
}

impl From<DeskError> for Problem {
    fn from(error: DeskError) -> Self {
        match error {
            DeskError::InsufficientFunds { .. } => Self::new(Code::InsufficientFunds, error),
            DeskError::OtherCurrency(_) => Self::new(Code::OtherCurrency, error),
            DeskError::Busy => Self::new(Code::Unavailable, error).retry_after(1),
            DeskError::Once(once) => once.into(),
            DeskError::Store(store) => store.into(),
        }
    }
}
