//! What providers and nodes say. News only ever moves forward: an older report that arrives late changes nothing.

use scheduler::world::ids::NodeId;
use time::OffsetDateTime;

use super::token;
use crate::rental::{ClientToken, Observed, Sighting};
use crate::store::{StoreError, Tx};

/// Writes what polls saw and did not see.
pub async fn news(tx: &mut Tx, sightings: &[Sighting], now: OffsetDateTime) -> Result<(), StoreError> {
    if sightings.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "UPDATE workloads w
         SET observed = CASE WHEN array_position($4::text[], s.seen) > array_position($4::text[], w.observed) THEN s.seen ELSE w.observed END,
             observed_at = CASE WHEN s.seen IS NULL THEN w.observed_at ELSE $3 END,
             accepted_at = CASE WHEN s.seen IS NULL THEN w.accepted_at ELSE coalesce(w.accepted_at, $3) END,
             absent_times = CASE WHEN s.seen IS NULL THEN w.absent_times + 1 ELSE 0 END
         FROM unnest($1::text[], $2::text[]) AS s (token, seen)
         WHERE w.client_token = s.token AND w.gone_at IS NULL",
    )
    .bind(sightings.iter().map(|one| one.token.to_string()).collect::<Vec<_>>())
    .bind(sightings.iter().map(|one| one.seen.map(Observed::as_str)).collect::<Vec<_>>())
    .bind(now)
    .bind(Observed::ALL.map(Observed::as_str).as_slice())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// What a node says about one of its workloads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Which.
    pub token: ClientToken,
    /// How it fares.
    pub observed: Observed,
    /// What its command ended with.
    pub exit_code: Option<i32>,
    /// A sentence, when something is wrong.
    pub message: Option<String>,
    /// The end of what it printed, if that changed.
    pub log_tail: Option<String>,
    /// How long it was usable, all in all.
    pub usable_millis: i64,
}

/// Writes a node's reports; returns those that are about workloads of that node that it may have. The others are none of
/// ours, or of an epoch that is over, or somebody else's: nothing of them is written.
pub async fn report(
    tx: &mut Tx,
    node: NodeId,
    reports: &[Report],
    now: OffsetDateTime,
) -> Result<Vec<ClientToken>, StoreError> {
    if reports.is_empty() {
        return Ok(Vec::new());
    }
    let known: Vec<String> = sqlx::query_scalar(
        "UPDATE workloads w
         SET observed = CASE WHEN array_position($9::text[], s.observed) > array_position($9::text[], w.observed) THEN s.observed ELSE w.observed END,
             exit_code = coalesce(s.exit_code, w.exit_code), message = coalesce(s.message, w.message),
             log_tail = coalesce(s.log_tail, w.log_tail), usable_millis = greatest(w.usable_millis, s.usable_millis),
             accepted_at = coalesce(w.accepted_at, $8), observed_at = $8, absent_times = 0
         FROM unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::bigint[])
              AS s (token, observed, exit_code, message, log_tail, usable_millis)
         WHERE w.client_token = s.token AND w.node_id = $1 AND w.gone_at IS NULL
         RETURNING w.client_token",
    )
    .bind(node.uuid())
    .bind(reports.iter().map(|one| one.token.to_string()).collect::<Vec<_>>())
    .bind(reports.iter().map(|one| one.observed.as_str()).collect::<Vec<_>>())
    .bind(reports.iter().map(|one| one.exit_code).collect::<Vec<_>>())
    .bind(reports.iter().map(|one| one.message.as_deref()).collect::<Vec<_>>())
    .bind(reports.iter().map(|one| one.log_tail.as_deref()).collect::<Vec<_>>())
    .bind(reports.iter().map(|one| one.usable_millis).collect::<Vec<_>>())
    .bind(now)
    .bind(Observed::ALL.map(Observed::as_str).as_slice())
    .fetch_all(tx.conn())
    .await?;
    known.iter().map(|text| token(text)).collect()
}

/// Counts an absence for every workload that the node should have and did not mention.
pub async fn unreported(tx: &mut Tx, node: NodeId, mentioned: &[ClientToken]) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE workloads SET absent_times = absent_times + 1
         WHERE node_id = $1 AND gone_at IS NULL AND absent_times < 2 AND client_token <> ALL($2)",
    )
    .bind(node.uuid())
    .bind(mentioned.iter().map(ClientToken::to_string).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}
