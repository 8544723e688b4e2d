//! `POST /v1/agent/heartbeat`

use actix_web::post;
use actix_web::web::{self, Data};
use serde::Deserialize;
use utoipa::ToSchema;

use super::WorkView;
use crate::app::hear_node::{HearNodeError, hear_node};
use crate::config::limits;
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{AgentNode, Json};
use crate::http::openapi::Refusals;
use crate::loops::LoopName;
use crate::rental::{ClientToken, Observed};
use crate::store::workloads::Report;

/// How a node fares.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Heartbeat {
    /// Everything that the node has, in whatever state. What is not mentioned is not there.
    #[schema(max_items = 256)]
    workloads: Vec<WorkloadReport>,
}

/// How one workload fares.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkloadReport {
    /// For which rental.
    #[schema(example = "rnt_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    rental_id: String,
    /// Which placement of it.
    epoch: i64,
    /// `pulling`, `starting`, `running`, `exited` or `failed`.
    #[schema(example = "running")]
    state: String,
    /// What its command ended with.
    exit_code: Option<i32>,
    /// What is wrong, in a sentence.
    message: Option<String>,
    /// The end of what it printed, when that has changed.
    log_tail: Option<String>,
    /// How long it was usable so far: a total, so that a lost report loses nothing.
    #[schema(example = 60000)]
    usable_milliseconds_total: i64,
}

impl WorkloadReport {
    fn parse(self) -> Result<Report, Problem> {
        let refused = |detail: &str, field: &str| Problem::new(Code::InvalidValue, detail).field(field);
        let rental = self.rental_id.parse().map_err(|_| refused("this is no id of a rental", "rental_id"))?;
        let observed = Observed::parse(&self.state).filter(|observed| *observed != Observed::Unseen);
        let observed =
            observed.ok_or_else(|| refused("a state is pulling, starting, running, exited or failed", "state"))?;
        if self.epoch < 1 {
            return Err(refused("an epoch is 1 or more", "epoch"));
        }
        if self.usable_milliseconds_total < 0 {
            return Err(refused("time is not negative", "usable_milliseconds_total"));
        }
        Ok(Report {
            token: ClientToken { rental, epoch: self.epoch },
            observed,
            exit_code: self.exit_code,
            message: self.message.map(|text| end_of(&text, MESSAGE_BYTES)),
            log_tail: self.log_tail.map(|text| end_of(&text, limits::LOG_TAIL_BYTES)),
            usable_millis: self.usable_milliseconds_total,
        })
    }
}

/// Longest message that is kept.
const MESSAGE_BYTES: usize = 1000;

/// The end of a text, without what the database does not take.
fn end_of(text: &str, most: usize) -> String {
    let text = text.replace('\0', "\u{FFFD}");
    let from = (text.len().saturating_sub(most)..=text.len()).find(|at| text.is_char_boundary(*at));
    text[from.unwrap_or(0)..].to_owned()
}

/// Report how a node fares
///
/// The answer is everything that the node should run. Sent every ten seconds or so and whenever something changes; a
/// node that is silent for a minute is lost, and its rentals end.
#[utoipa::path(tag = "agents", operation_id = "send_heartbeat", request_body = Heartbeat,
    responses((status = 200, body = WorkView), Refusals), security(("node_token" = [])))]
#[post("/v1/agent/heartbeat")]
pub async fn send(node: AgentNode, body: Json<Heartbeat>, state: Data<State>) -> Result<web::Json<WorkView>, Problem> {
    if body.0.workloads.len() > limits::WORKLOADS_PER_NODE {
        let detail = format!("a node reports at most {} workloads", limits::WORKLOADS_PER_NODE);
        return Err(Problem::new(Code::InvalidValue, detail).field("workloads"));
    }
    let reports: Vec<_> = body.0.workloads.into_iter().map(WorkloadReport::parse).collect::<Result<_, _>>()?;
    let mut ctx = state.begin_anonymous().await?;
    let now = ctx.now;
    let told = hear_node(&mut ctx, node.0, &reports).await?;
    ctx.tx.commit().await?;
    if !reports.is_empty() {
        state.wake.signal(LoopName::Provision);
    }
    if told.ready {
        state.wake.signal(LoopName::Round);
    }
    Ok(web::Json(WorkView::new(told, state.shells.waiting_for(node.0), now)))
}

impl From<HearNodeError> for Problem {
    fn from(error: HearNodeError) -> Self {
        match error {
            HearNodeError::NoSuchNode => Self::new(Code::Unauthenticated, error),
            HearNodeError::Store(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_beginning_and_between_characters() {
        assert_eq!(end_of("abc", 2), "bc");
        assert_eq!(end_of("aé", 2), "é");
        assert_eq!(end_of("éa", 2), "a");
        assert_eq!(end_of("a\0", 10), "a\u{FFFD}");
    }
}
