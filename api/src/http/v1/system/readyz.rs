//! `GET /readyz`

use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};

use crate::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::Public;
use crate::http::openapi::Refusals;
use crate::store::{StoreError, Tx, schema};

/// The database must answer within this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// Is the server ready for requests?
///
/// It is when the database answers with the schema that this version needs, and the server is not stopping.
#[utoipa::path(tag = "system", operation_id = "get_readiness", responses((status = 200, description = "Ready", content_type = "text/plain", body = String), Refusals), security(()))]
#[get("/readyz")]
pub async fn readyz(_: Public, state: Data<State>) -> Result<HttpResponse, Problem> {
    if state.stopping.is_cancelled() {
        return Err(Problem::new(Code::Unavailable, "the server is stopping"));
    }
    let applied = tokio::time::timeout(PATIENCE, applied(&state)).await;
    let applied = applied.map_err(|_| Problem::new(Code::Unavailable, "the database does not answer in time"))??;
    if applied {
        Ok(HttpResponse::Ok().content_type("text/plain").body("ready\n"))
    } else {
        Err(Problem::new(Code::Unavailable, "the database's schema is not the one of this version"))
    }
}

async fn applied(state: &State) -> Result<bool, StoreError> {
    schema::is_current(&mut Tx::begin_snapshot(&state.db).await?).await
}
