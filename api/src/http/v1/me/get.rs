//! `GET /v1/me`

use actix_web::get;
use actix_web::web::{self, Data};

use super::MeView;
use crate::app::Via;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::Allowed;
use crate::http::openapi::Refusals;
use crate::http::permission::Authenticated;
use crate::store::{organisations, users};

/// Who am I?
///
/// The person, the organisation it acts for and its role there; for an API key, its maker and its scopes.
#[utoipa::path(tag = "identity", operation_id = "get_me", responses((status = 200, body = MeView), Refusals))]
#[get("/v1/me")]
pub async fn get(allowed: Allowed<Authenticated>, state: Data<State>) -> Result<web::Json<MeView>, Problem> {
    let caller = allowed.caller;
    let mut tx = state.begin_snapshot().await?;
    let user = users::find(&mut tx, caller.user).await?.ok_or_else(|| Problem::not_found("user"))?;
    let membership = organisations::membership(&mut tx, caller.user, caller.organisation).await?;
    let membership = membership.ok_or_else(|| Problem::not_found("organisation"))?;
    let scopes = match caller.via {
        Via::Token => None,
        Via::ApiKey { scopes, .. } => Some(scopes.into_iter().collect()),
    };
    let organisation = membership.organisation.into();
    Ok(web::Json(MeView { user: user.into(), organisation, role: caller.role, scopes }))
}
