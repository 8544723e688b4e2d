//! The simulated provider's own world. Only `provider::simulated` may look at it: the market learns about it by polling,
//! as it would of a cloud.

use scheduler::world::ids::NodeId;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};
use crate::rental::ClientToken;

/// A workload that the simulated provider runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simulation {
    /// Under which token it was asked for.
    pub token: ClientToken,
    /// When it was asked for.
    pub created_at: OffsetDateTime,
    /// When its boot ends; never, when it is none.
    pub ready_at: Option<OffsetDateTime>,
}

/// Starts a workload. A token that is known changes nothing: what was ended stays ended.
pub async fn accept(
    tx: &mut Tx,
    token: &ClientToken,
    node: NodeId,
    now: OffsetDateTime,
    ready_at: Option<OffsetDateTime>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO simulated_workloads (client_token, node_id, created_at, ready_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (client_token) DO NOTHING",
    )
    .bind(token.to_string())
    .bind(node.uuid())
    .bind(now)
    .bind(ready_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Those of these workloads that are there.
pub async fn find(tx: &mut Tx, tokens: &[ClientToken]) -> Result<Vec<Simulation>, StoreError> {
    let rows: Vec<(String, OffsetDateTime, Option<OffsetDateTime>)> = sqlx::query_as(
        "SELECT client_token, created_at, ready_at FROM simulated_workloads WHERE client_token = ANY($1) AND gone_at IS NULL",
    )
    .bind(tokens.iter().map(ClientToken::to_string).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    let simulation =
        |(token, created_at, ready_at): (String, _, _)| Ok(Simulation { token: parse(&token)?, created_at, ready_at });
    rows.into_iter().map(simulation).collect()
}

/// Ends a workload, if it is there.
pub async fn end(tx: &mut Tx, token: &ClientToken, now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query("UPDATE simulated_workloads SET gone_at = $2 WHERE client_token = $1 AND gone_at IS NULL")
        .bind(token.to_string())
        .bind(now)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// Everything that is there on these nodes.
pub async fn list(tx: &mut Tx, nodes: &[NodeId]) -> Result<Vec<ClientToken>, StoreError> {
    let nodes: Vec<Uuid> = nodes.iter().map(|id| id.uuid()).collect();
    let tokens: Vec<String> = sqlx::query_scalar(
        "SELECT client_token FROM simulated_workloads WHERE node_id = ANY($1) AND gone_at IS NULL ORDER BY client_token",
    )
    .bind(nodes)
    .fetch_all(tx.conn())
    .await?;
    tokens.iter().map(|token| parse(token)).collect()
}

fn parse(token: &str) -> Result<ClientToken, StoreError> {
    token.parse().map_err(|error| StoreError::corrupt("client token", error))
}
