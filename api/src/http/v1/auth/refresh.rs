//! `POST /v1/auth/refresh`

use actix_web::post;
use actix_web::web::{self, Data};
use scheduler::world::ids::OrganisationId;
use serde::Deserialize;
use utoipa::ToSchema;

use super::SessionView;
use crate::State;
use crate::app::refresh_session::{RefreshError, Refreshed, refresh_session};
use crate::entropy::Secret;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Json, Public};
use crate::http::openapi::Refusals;

/// Which session goes on, and for whom.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Refresh {
    /// The last refresh token of the session.
    #[schema(example = "soukr_0yK5vYv3…")]
    refresh_token: String,
    /// Act for another organisation from now on.
    #[schema(value_type = Option<String>, example = "org_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    organisation_id: Option<OrganisationId>,
}

/// Refresh a session
///
/// Consumes the refresh token and hands out the next pair of tokens. A consumed token that comes back later ends the
/// whole log-in, because somebody else must hold a copy.
#[utoipa::path(tag = "identity", operation_id = "refresh_session", request_body = Refresh, responses((status = 200, body = SessionView), Refusals), security(()))]
#[post("/v1/auth/refresh")]
pub async fn refresh(_: Public, body: Json<Refresh>, state: Data<State>) -> Result<web::Json<SessionView>, Problem> {
    let presented = Secret::presented(&body.0.refresh_token);
    let mut ctx = state.begin_anonymous().await?;
    let refreshed = refresh_session(&mut ctx, &state.identity, &presented, body.0.organisation_id).await?;
    ctx.tx.commit().await?;
    match refreshed {
        Refreshed::Continued(session) => Ok(web::Json((*session).into())),
        Refreshed::Stolen => Err(Problem::new(
            Code::RefreshTokenReused,
            "this refresh token was used before, so somebody holds a copy; the session was ended, log in again",
        )),
    }
}

impl From<RefreshError> for Problem {
    fn from(error: RefreshError) -> Self {
        match error {
            RefreshError::Invalid => Self::new(Code::RefreshTokenInvalid, error),
            RefreshError::Raced => Self::new(Code::RefreshRaced, error),
            RefreshError::NotAMember => Self::new(Code::NotFound, error).field("organisation_id"),
            RefreshError::Store(store) => store.into(),
        }
    }
}
