//! `POST /v1/providers`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::ProviderView;
use crate::app::create_provider::{ProviderName, create_provider};
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Supply;

/// A new provider.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateProvider {
    /// Its public name.
    #[schema(min_length = 1, max_length = 100, example = "Campus North")]
    name: String,
}

/// Become a provider
///
/// The organisation can then list nodes and earn.
#[utoipa::path(tag = "supply", operation_id = "create_provider", request_body = CreateProvider, responses((status = 201, body = ProviderView), Refusals))]
#[post("/v1/providers")]
pub async fn create(
    allowed: Allowed<Supply>,
    body: Json<CreateProvider>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let name = ProviderName::parse(&body.0.name)
        .ok_or_else(|| Problem::new(Code::InvalidValue, "a name has 1 to 100 characters").field("name"))?;
    let mut ctx = state.begin(allowed.caller).await?;
    let provider = create_provider(&mut ctx, &name, &state.config.currency).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(ProviderView::from(provider)))
}
