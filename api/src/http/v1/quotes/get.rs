//! `GET /v1/quotes/{id}`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::QuoteId;

use super::QuoteView;
use crate::app::quote_rental::{QuoteError, QuotedRental, wallet_of};
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id};
use crate::http::openapi::Refusals;
use crate::http::permission::{Permission as _, Read, ReadMoney};
use crate::store::quotes;

/// Get a quote
#[utoipa::path(tag = "demand", operation_id = "get_quote", params(("id" = String, Path, description = "The quote")), responses((status = 200, body = QuoteView), Refusals))]
#[get("/v1/quotes/{id}")]
pub async fn get(allowed: Allowed<Read>, id: Id<QuoteId>, state: Data<State>) -> Result<web::Json<QuoteView>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let quote = quotes::find(&mut tx, allowed.caller.organisation, id.0).await?;
    let quote = quote.ok_or_else(|| Problem::not_found("quote"))?;
    let wallet = wallet_of(&mut tx, &quote, ReadMoney::allows(&allowed.caller)).await?;
    let quoted = QuotedRental::new(quote).map_err(QuoteError::from)?;
    Ok(web::Json(QuoteView::new(quoted, wallet.as_ref())))
}
