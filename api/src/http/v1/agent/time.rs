//! `GET /v1/agent/time`

use actix_web::get;
use actix_web::web::{self, Data};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::extract::Public;
use crate::http::{State, wire};

/// The server's time.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ServerTime)]
pub struct TimeView {
    /// To be signed as it stands.
    #[serde(with = "wire::timestamp")]
    at: OffsetDateTime,
}

/// Ask for the time
///
/// A node signs it to get a token, so that its own clock need not be right.
#[utoipa::path(tag = "agents", operation_id = "get_agent_time", responses((status = 200, body = TimeView)), security(()))]
#[get("/v1/agent/time")]
pub async fn get(_public: Public, state: Data<State>) -> web::Json<TimeView> {
    web::Json(TimeView { at: state.clock.now() })
}
