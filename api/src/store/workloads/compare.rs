//! What reconciling needs: which nodes are due, what is expected on them, what of the rest nobody wants.

use scheduler::world::ids::NodeId;
use time::OffsetDateTime;
use uuid::Uuid;

use super::token;
use crate::node::Adapter;
use crate::rental::ClientToken;
use crate::store::{StoreError, Tx};

/// A workload that is expected, or still has to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// Which.
    pub token: ClientToken,
    /// Whether it should run.
    pub wanted: bool,
    /// Whether it was seen to.
    pub seen: bool,
    /// Whether it was missing at the last look.
    pub missing: bool,
}

/// Claims nodes that were not compared since `before`.
pub async fn claim_nodes(
    tx: &mut Tx,
    before: OffsetDateTime,
    limit: i64,
    now: OffsetDateTime,
) -> Result<Vec<(NodeId, Adapter)>, StoreError> {
    let rows: Vec<(Uuid, String)> = sqlx::query_as(
        "WITH claimed AS (
             SELECT id FROM nodes WHERE state <> 'retired' AND (reconciled_at IS NULL OR reconciled_at <= $1)
             ORDER BY reconciled_at NULLS FIRST, id LIMIT $2 FOR UPDATE SKIP LOCKED
         )
         UPDATE nodes SET reconciled_at = $3 FROM claimed WHERE nodes.id = claimed.id RETURNING nodes.id, nodes.adapter",
    )
    .bind(before)
    .bind(limit)
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    let node = |(id, adapter): (Uuid, String)| {
        let adapter = adapter.parse().map_err(|_| StoreError::corrupt("adapter", &adapter))?;
        Ok((id.into(), adapter))
    };
    rows.into_iter().map(node).collect()
}

/// What is expected on these nodes.
pub async fn expected_on(tx: &mut Tx, nodes: &[NodeId]) -> Result<Vec<Expected>, StoreError> {
    let rows: Vec<(String, bool, bool, bool)> = sqlx::query_as(
        "SELECT w.client_token, r.epoch = w.epoch AND r.state IN ('provisioning', 'pulling', 'starting', 'running', 'notice'),
                w.observed <> 'unseen', w.absent_times > 0
         FROM workloads w JOIN rentals r ON r.id = w.rental_id
         WHERE w.node_id = ANY($1) AND w.gone_at IS NULL",
    )
    .bind(nodes.iter().map(|id| id.uuid()).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    let expected =
        |(text, wanted, seen, missing): (String, _, _, _)| Ok(Expected { token: token(&text)?, wanted, seen, missing });
    rows.into_iter().map(expected).collect()
}

/// Those of these workloads that no rental wants, or that we never asked for.
pub async fn unwanted(tx: &mut Tx, tokens: &[ClientToken]) -> Result<Vec<ClientToken>, StoreError> {
    if tokens.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<String> = sqlx::query_scalar(
        "SELECT t.token FROM unnest($1::text[]) AS t (token)
         WHERE NOT EXISTS (SELECT 1 FROM workloads w JOIN rentals r ON r.id = w.rental_id AND r.epoch = w.epoch
                           WHERE w.client_token = t.token AND r.state IN ('provisioning', 'pulling', 'starting', 'running', 'notice'))",
    )
    .bind(tokens.iter().map(ClientToken::to_string).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    texts.iter().map(|text| token(text)).collect()
}
