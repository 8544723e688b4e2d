//! `POST /v1/organisations`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::OrganisationView;
use crate::State;
use crate::app::Name;
use crate::app::create_organisation::{CreateOrganisationError, create_organisation};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Person;

/// A new organisation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateOrganisation {
    /// Its name.
    #[schema(example = "Vision group", min_length = 1, max_length = 100)]
    name: String,
}

/// Found an organisation
///
/// With an empty wallet; you are its owner. Act for it with `POST /v1/auth/refresh` and its id.
#[utoipa::path(tag = "identity", operation_id = "create_organisation", request_body = CreateOrganisation, responses((status = 201, body = OrganisationView), Refusals))]
#[post("/v1/organisations")]
pub async fn create(
    allowed: Allowed<Person>,
    body: Json<CreateOrganisation>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let name = Name::parse(&body.0.name)
        .ok_or_else(|| Problem::new(Code::InvalidValue, "a name has 1 to 100 characters").field("name"))?;
    let mut ctx = state.begin(allowed.caller).await?;
    let organisation = create_organisation(&mut ctx, &name, &state.config.currency).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(OrganisationView::from(organisation)))
}

impl From<CreateOrganisationError> for Problem {
    fn from(error: CreateOrganisationError) -> Self {
        match error {
            CreateOrganisationError::TooMany => Self::new(Code::LimitReached, error),
            CreateOrganisationError::Store(store) => store.into(),
        }
    }
}
