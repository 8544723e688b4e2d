//! How use cases' results become responses.

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, Responder};

use super::error::Problem;
use crate::State;
use crate::app::once::{self, Fingerprint, Key, Reply};
use crate::app::{Caller, Ctx};
use crate::loops::LoopName;
use crate::store::idempotency;

impl Responder for Reply {
    type Body = BoxBody;

    fn respond_to(self, _request: &HttpRequest) -> HttpResponse {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = HttpResponse::build(status);
        if self.replayed {
            response.insert_header(("Idempotent-Replay", "true"));
        }
        response.content_type("application/json").body(self.body)
    }
}

/// Runs an operation once per key: opens the transaction, replays the kept reply or runs `operation`, keeps its reply
/// and commits both together. When two calls with one key race, the loser runs again and finds the winner's reply.
pub async fn once<F>(
    state: &State,
    caller: &Caller,
    key: &Key,
    fingerprint: &Fingerprint,
    operation: F,
) -> Result<Reply, Problem>
where
    F: AsyncFn(&mut Ctx<'_>) -> Result<Reply, Problem>,
{
    for _ in 0..ATTEMPTS {
        let mut ctx = state.begin(caller.clone()).await?;
        if let Some(reply) = once::replay(&mut ctx, key, fingerprint).await? {
            return Ok(reply);
        }
        let reply = operation(&mut ctx).await?;
        match once::keep(&mut ctx, key, fingerprint, &reply).await {
            Ok(()) => {}
            Err(once::OnceError::Store(error)) if error.violates(idempotency::RACED) => continue,
            Err(error) => return Err(error.into()),
        }
        ctx.tx.commit().await?;
        state.wake.signal(LoopName::Relay);
        return Ok(reply);
    }
    Err(Problem::new(
        super::error::Code::Conflict,
        "another call with this Idempotency-Key is still running; send it again",
    ))
}

/// Two are enough: the second attempt finds what the winner of the race kept.
const ATTEMPTS: usize = 3;
