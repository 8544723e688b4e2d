//! `GET /v1/offers`

use actix_web::get;
use actix_web::web::{self, Data};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::query::OfferQuery;
use super::{AppliedFilterView, OfferView};
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::Public;
use crate::http::openapi::Refusals;
use crate::offers::page;
use crate::store::offers;

/// A search.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what OfferQuery reads")]
struct SearchOffers {
    /// A GPU request: `H100,A100:80GB:1..8`. Without a MIG profile, whole GPUs are meant.
    #[param(example = "H100,A100:80GB:1..8")]
    gpu: Option<String>,
    /// Only in this pool.
    pool: Option<String>,
    /// `field op value`, any number of times, all of which must hold. `op` is one of `eq neq gt gte lt lte in notin`;
    /// `in` and `notin` take values with commas between. What an offer does not state meets no condition.
    #[param(example = json!(["reliability gte 0.99", "region in eu-west,eu-north"]))]
    filter: Option<Vec<String>>,
    /// A figure, with `-` before it for the largest first: `price_per_gpu_hour` (the default), `floor_per_gpu_hour`,
    /// `market_price_per_gpu_hour`, `reliability`, `vram_mib`, `devices_free`, `inet_down_mbps`.
    #[param(example = "-reliability")]
    order: Option<String>,
    /// Items per page, 1 to 200.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<u32>,
    /// Where the last page ended (`next_cursor`); only for the same order.
    cursor: Option<String>,
}

/// Offers, and all that was done to find them.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Offers)]
pub struct OffersView {
    /// The offers.
    items: Vec<OfferView>,
    /// Pass as `cursor` for the next page; null on the last.
    next_cursor: Option<String>,
    /// Every filter that applied, and who asked for it. There are no others.
    filters: Vec<AppliedFilterView>,
}

/// Search offers
///
/// Everything on a ready node that somebody asks a price for. Nothing is left out silently: every filter that applied
/// is listed in the reply.
#[utoipa::path(tag = "market", operation_id = "search_offers", params(SearchOffers), responses((status = 200, body = OffersView), Refusals), security(()))]
#[get("/v1/offers")]
pub async fn search(_: Public, query: OfferQuery, state: Data<State>) -> Result<web::Json<OffersView>, Problem> {
    let OfferQuery { pool, filters, order, position, limit } = query;
    let mut tx = state.begin_snapshot().await?;
    let mut offers = offers::all(&mut tx, pool, None, state.clock.now()).await?;
    offers.retain(|offer| filters.iter().all(|filter| filter.matches(offer)));
    let (items, next) = page(offers, order, position, limit);
    Ok(web::Json(OffersView {
        items: items.into_iter().map(OfferView::from).collect(),
        next_cursor: next.map(|position| position.write(order)),
        filters: filters.iter().map(AppliedFilterView::from).collect(),
    }))
}
