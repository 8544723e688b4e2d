//! How use cases' results become responses.

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, Responder};

use super::error::{Code, Problem};
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
/// and commits both together. When two calls with one key race, the loser finds the winner's reply; when something else
/// changed at the same moment, it runs again.
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
    for attempt in 1..=ATTEMPTS {
        let mut ctx = state.begin(caller.clone()).await?;
        if let Some(reply) = once::replay(&mut ctx, key, fingerprint).await? {
            return Ok(reply);
        }
        let reply = match operation(&mut ctx).await {
            Ok(reply) => reply,
            Err(problem) => {
                drop(ctx);
                // A call with the same key may have been faster, and changed what this one found.
                let mut ctx = state.begin(caller.clone()).await?;
                match once::replay(&mut ctx, key, fingerprint).await? {
                    Some(reply) => return Ok(reply),
                    None if problem.code() == Code::Conflict && attempt < ATTEMPTS => continue,
                    None => return Err(problem),
                }
            }
        };
        match once::keep(&mut ctx, key, fingerprint, &reply).await {
            Ok(()) => {}
            Err(once::OnceError::Store(error)) if error.violates(idempotency::RACED) => continue,
            Err(error) => return Err(error.into()),
        }
        ctx.tx.commit().await?;
        state.wake.signal(LoopName::Relay);
        return Ok(reply);
    }
    Err(Problem::new(Code::Conflict, "another call with this Idempotency-Key is still running; send it again"))
}

/// Runs of one operation: the second one finds what the winner of a race wrote.
const ATTEMPTS: usize = 3;
