//! What is to be told to providers. Work is claimed for a while before the call, so that two servers do not make the
//! same call at once; a claim whose server died is claimed again when it lapses.

use scheduler::world::ids::NodeId;
use time::OffsetDateTime;
use uuid::Uuid;

use super::token;
use crate::node::Adapter;
use crate::rental::{ClientToken, Order};
use crate::store::{StoreError, Tx};

/// A workload whose provider is to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Called {
    /// Which.
    pub token: ClientToken,
    /// Who runs it.
    pub adapter: Adapter,
    /// Where.
    pub node: NodeId,
}

/// What a provider answered to `create`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It will run.
    Accepted,
    /// Ask again at that time.
    Again(OffsetDateTime, String),
    /// It will never run.
    Refused(String),
}

/// Adds the workloads of rentals that have devices and none yet: the intention, before any call. Returns their nodes.
pub async fn intend(tx: &mut Tx, limit: i64, now: OffsetDateTime) -> Result<Vec<NodeId>, StoreError> {
    let nodes: Vec<Uuid> = sqlx::query_scalar(
        "INSERT INTO workloads (rental_id, epoch, node_id, client_token, next_call_at, created_at)
         SELECT r.id, r.epoch, r.node_id, 'rnt_' || replace(r.id::text, '-', '') || '.' || r.epoch, $2, $2
         FROM rentals r
         WHERE r.state = 'provisioning' AND NOT EXISTS (SELECT 1 FROM workloads w WHERE w.rental_id = r.id AND w.epoch = r.epoch)
         ORDER BY r.state_at LIMIT $1
         ON CONFLICT DO NOTHING RETURNING node_id",
    )
    .bind(limit)
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    Ok(nodes.into_iter().map(Into::into).collect())
}

/// Claims wanted workloads that no provider has accepted yet.
pub async fn claim_creates(
    tx: &mut Tx,
    limit: i64,
    now: OffsetDateTime,
    lapses_at: OffsetDateTime,
) -> Result<Vec<(Adapter, Order, i32)>, StoreError> {
    type Claimed = (String, Uuid, String, Option<String>, i32, Vec<String>);
    let rows: Vec<Claimed> = sqlx::query_as(
        "WITH claimed AS (
             SELECT w.rental_id, w.epoch FROM workloads w JOIN rentals r ON r.id = w.rental_id AND r.epoch = w.epoch
             WHERE w.gone_at IS NULL AND w.accepted_at IS NULL AND w.observed = 'unseen' AND w.next_call_at <= $2
                   AND r.state IN ('provisioning', 'pulling', 'starting', 'running', 'notice')
             ORDER BY w.next_call_at LIMIT $1 FOR UPDATE OF w SKIP LOCKED
         )
         UPDATE workloads w SET attempts = w.attempts + 1, next_call_at = $3
         FROM claimed c, rentals r, nodes n
         WHERE w.rental_id = c.rental_id AND w.epoch = c.epoch AND r.id = w.rental_id AND n.id = w.node_id
         RETURNING w.client_token, w.node_id, n.adapter, r.command, w.attempts,
                   ARRAY(SELECT d.uuid FROM leases l JOIN devices d ON d.id = l.device_id
                         WHERE l.rental_id = w.rental_id AND upper_inf(l.during) ORDER BY d.slot, d.id)",
    )
    .bind(limit)
    .bind(now)
    .bind(lapses_at)
    .fetch_all(tx.conn())
    .await?;
    let order = |(text, node, adapter, command, attempts, devices): (String, Uuid, String, _, i32, _)| {
        let order = Order { token: token(&text)?, node: node.into(), devices, command };
        Ok((parse_adapter(&adapter)?, order, attempts))
    };
    rows.into_iter().map(order).collect()
}

/// Writes what the providers answered.
pub async fn answer(tx: &mut Tx, answers: &[(ClientToken, Answer)], now: OffsetDateTime) -> Result<(), StoreError> {
    if answers.is_empty() {
        return Ok(());
    }
    let message = |answer: &Answer| match answer {
        Answer::Accepted => None,
        Answer::Again(_, message) | Answer::Refused(message) => Some(message.clone()),
    };
    let again_at = |answer: &Answer| match answer {
        Answer::Again(at, _) => *at,
        Answer::Accepted | Answer::Refused(_) => now,
    };
    sqlx::query(
        "UPDATE workloads w
         SET accepted_at = CASE WHEN a.accepted THEN $6 ELSE w.accepted_at END,
             observed = CASE WHEN a.refused THEN 'failed' ELSE w.observed END,
             message = coalesce(a.message, w.message), next_call_at = a.again_at
         FROM unnest($1::text[], $2::boolean[], $3::boolean[], $4::text[], $5::timestamptz[]) AS a (token, accepted, refused, message, again_at)
         WHERE w.client_token = a.token AND w.gone_at IS NULL",
    )
    .bind(answers.iter().map(|(token, _)| token.to_string()).collect::<Vec<_>>())
    .bind(answers.iter().map(|(_, answer)| matches!(answer, Answer::Accepted)).collect::<Vec<_>>())
    .bind(answers.iter().map(|(_, answer)| matches!(answer, Answer::Refused(_))).collect::<Vec<_>>())
    .bind(answers.iter().map(|(_, answer)| message(answer)).collect::<Vec<_>>())
    .bind(answers.iter().map(|(_, answer)| again_at(answer)).collect::<Vec<_>>())
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Claims accepted workloads that are not usable yet.
pub async fn claim_polls(
    tx: &mut Tx,
    limit: i64,
    now: OffsetDateTime,
    again_at: OffsetDateTime,
) -> Result<Vec<Called>, StoreError> {
    let rows = sqlx::query_as(
        "WITH claimed AS (
             SELECT w.rental_id, w.epoch FROM workloads w JOIN rentals r ON r.id = w.rental_id AND r.epoch = w.epoch
             WHERE w.gone_at IS NULL AND w.accepted_at IS NOT NULL AND w.observed IN ('unseen', 'pulling', 'starting')
                   AND w.next_call_at <= $2 AND r.state IN ('provisioning', 'pulling', 'starting', 'running', 'notice')
             ORDER BY w.next_call_at LIMIT $1 FOR UPDATE OF w SKIP LOCKED
         )
         UPDATE workloads w SET next_call_at = $3 FROM claimed c, nodes n
         WHERE w.rental_id = c.rental_id AND w.epoch = c.epoch AND n.id = w.node_id
         RETURNING w.client_token, n.adapter, w.node_id",
    )
    .bind(limit)
    .bind(now)
    .bind(again_at)
    .fetch_all(tx.conn())
    .await?;
    called(rows)
}

/// Claims workloads that are there, or may be, and that nobody wants any more.
pub async fn claim_terminations(
    tx: &mut Tx,
    limit: i64,
    now: OffsetDateTime,
    again_at: OffsetDateTime,
) -> Result<Vec<Called>, StoreError> {
    let rows = sqlx::query_as(
        "WITH claimed AS (
             SELECT w.rental_id, w.epoch FROM workloads w JOIN rentals r ON r.id = w.rental_id
             WHERE w.gone_at IS NULL AND w.next_call_at <= $2
                   AND NOT (r.epoch = w.epoch AND r.state IN ('provisioning', 'pulling', 'starting', 'running', 'notice'))
             ORDER BY w.next_call_at LIMIT $1 FOR UPDATE OF w SKIP LOCKED
         )
         UPDATE workloads w SET next_call_at = $3 FROM claimed c, nodes n
         WHERE w.rental_id = c.rental_id AND w.epoch = c.epoch AND n.id = w.node_id
         RETURNING w.client_token, n.adapter, w.node_id",
    )
    .bind(limit)
    .bind(now)
    .bind(again_at)
    .fetch_all(tx.conn())
    .await?;
    called(rows)
}

fn called(rows: Vec<(String, String, Uuid)>) -> Result<Vec<Called>, StoreError> {
    rows.into_iter()
        .map(|(text, adapter, node)| {
            Ok(Called { token: token(&text)?, adapter: parse_adapter(&adapter)?, node: node.into() })
        })
        .collect()
}

fn parse_adapter(name: &str) -> Result<Adapter, StoreError> {
    name.parse().map_err(|_| StoreError::corrupt("adapter", name))
}
