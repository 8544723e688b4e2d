//! `POST /v1/asks`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::AskView;
use crate::app::place_ask::{PlaceAskError, Terms, place_ask};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Supply;
use crate::http::{State, field};
use crate::store::asks;

/// The terms of an ask.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceAsk {
    /// A node of yours.
    #[schema(example = "node_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    node_id: String,
    /// A class of which the node has devices.
    #[schema(example = "h100-80gb")]
    class_id: String,
    /// Posted price of on-demand use, frozen for a rental when it begins.
    #[schema(example = "2.50")]
    price_per_gpu_hour: String,
    /// The least for interruptible use; at most the price.
    #[schema(example = "1.10")]
    floor_per_gpu_hour: String,
    /// The smallest gang to let in; 1 if absent.
    #[schema(minimum = 1, maximum = 1024, example = 1)]
    min_chunk: Option<i32>,
    /// When the offer ends; never if absent.
    #[schema(example = "2026-06-30T00:00:00Z")]
    ends_at: Option<String>,
}

/// Place an ask
///
/// A new ask for the same node and class replaces the live one. A rental that runs keeps the price it began with.
#[utoipa::path(tag = "supply", operation_id = "place_ask", request_body = PlaceAsk, responses((status = 201, body = AskView), Refusals))]
#[post("/v1/asks")]
pub async fn place(
    allowed: Allowed<Supply>,
    body: Json<PlaceAsk>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let terms = body.0.parse()?;
    let mut ctx = state.begin(allowed.caller).await?;
    let ask = place_ask(&mut ctx, terms).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(AskView::from(ask)))
}

impl PlaceAsk {
    fn parse(self) -> Result<Terms, Problem> {
        Ok(Terms {
            node: field::id("node_id", &self.node_id)?,
            class: field::class("class_id", &self.class_id)?,
            price: field::price("price_per_gpu_hour", &self.price_per_gpu_hour)?,
            floor: field::price("floor_per_gpu_hour", &self.floor_per_gpu_hour)?,
            min_chunk: self.min_chunk.unwrap_or(1),
            ends_at: self.ends_at.map(|text| field::instant("ends_at", &text)).transpose()?,
        })
    }
}

impl From<PlaceAskError> for Problem {
    fn from(error: PlaceAskError) -> Self {
        match error {
            PlaceAskError::NoSuchNode => Self::not_found("node").field("node_id"),
            PlaceAskError::NotListable(_) => Self::new(Code::WrongState, error),
            PlaceAskError::NoDevices(_) => field::invalid("class_id", error),
            PlaceAskError::FloorAbovePrice { .. } => field::invalid("floor_per_gpu_hour", error),
            PlaceAskError::ChunkTooLarge { .. } => field::invalid("min_chunk", error),
            PlaceAskError::EndsInThePast => field::invalid("ends_at", error),
            PlaceAskError::Store(store) if store.violates(asks::RACED) => Self::new(
                Code::Conflict,
                "another ask for these devices was placed at the same moment; look at it first",
            ),
            PlaceAskError::Store(store) => store.into(),
        }
    }
}
