//! `POST /v1/quotes`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::QuoteView;
use crate::app::quote_rental::{QuoteError, quote_rental, wallet_of};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::{Permission as _, ReadMoney, Rent};
use crate::http::{State, field};

/// What is to be quoted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateQuote {
    /// The ask of an offer.
    #[schema(example = "ask_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    ask_id: String,
    /// How many devices: from the offer's `min_chunk` to its `devices_total`.
    #[schema(minimum = 1, maximum = 1024, example = 8)]
    devices: i32,
}

/// Quote a rental
///
/// The price is kept for five minutes, whatever the provider does to the ask. Nothing is set aside.
#[utoipa::path(tag = "demand", operation_id = "create_quote", request_body = CreateQuote, responses((status = 201, body = QuoteView), Refusals))]
#[post("/v1/quotes")]
pub async fn create(
    allowed: Allowed<Rent>,
    body: Json<CreateQuote>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let ask = field::id("ask_id", &body.0.ask_id)?;
    let may_see = ReadMoney::allows(&allowed.caller);
    let mut ctx = state.begin(allowed.caller).await?;
    let quoted = quote_rental(&mut ctx, ask, body.0.devices).await?;
    let wallet = wallet_of(&mut ctx.tx, &quoted.quote, may_see).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(QuoteView::new(quoted, wallet.as_ref())))
}

impl From<QuoteError> for Problem {
    fn from(error: QuoteError) -> Self {
        match error {
            QuoteError::NoSuchOffer => Self::new(Code::NoSuchOffer, error).field("ask_id"),
            QuoteError::Devices { .. } | QuoteError::TooLarge(_) => field::invalid("devices", error),
            QuoteError::Store(store) => store.into(),
        }
    }
}
