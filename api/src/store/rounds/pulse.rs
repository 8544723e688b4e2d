//! What tells whether a pool is due for a round: a few instants per pool, each found through an index.

use std::collections::BTreeMap;

use scheduler::world::ids::PoolId;
use scheduler::world::{At, JobFairness};
use sqlx::types::Json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::clock::to_at;
use crate::store::{StoreError, Tx};

/// A pool's instants, as far as there are any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pulse {
    /// Time between rounds, in milliseconds.
    pub round_millis: i64,
    /// The quantum of entitlement, in milliseconds.
    pub quantum_millis: i64,
    /// When the last round was cleared.
    pub cleared_at: Option<At>,
    /// When a round was last refused, while the reason has not gone away.
    pub refused_at: Option<At>,
    /// Whether an operator asks for a round.
    pub requested: bool,
    /// Whether the last round came early.
    pub early: bool,
    /// When the newest of the live bids and jobs was made.
    pub demand_at: Option<At>,
    /// When a rental at a posted price last asked for its devices back.
    pub claimed_at: Option<At>,
    /// Whether the last round planned something that the market no longer allowed when it was applied.
    pub dropped: bool,
    /// When devices were last given back, offered, or promised by a notice that has run out.
    pub freed_at: Option<At>,
    /// The fairness of jobs that do not run.
    pub waiting: Vec<Waiting>,
}

/// A job that does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// Up to when it is told.
    pub advanced_at: At,
    /// Entitled time due, in billionths of a quantum.
    pub credit_nanos: i64,
    /// The part of time to which it is entitled, in billionths.
    pub share_nanos: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    #[sqlx(try_from = "Uuid")]
    pool_id: PoolId,
    round_seconds: i32,
    min_run_seconds: i32,
    cleared_at: Option<OffsetDateTime>,
    dropped: bool,
    early: bool,
    refused_at: Option<OffsetDateTime>,
    requested: bool,
    demand_at: Option<OffsetDateTime>,
    claimed_at: Option<OffsetDateTime>,
    freed_at: Option<OffsetDateTime>,
}

/// The pulses of these pools at `now`, in two statements.
pub async fn pulses(
    tx: &mut Tx,
    pools: &[PoolId],
    refusal: &str,
    now: OffsetDateTime,
) -> Result<BTreeMap<PoolId, Pulse>, StoreError> {
    let ids: Vec<_> = pools.iter().map(|id| id.uuid()).collect();
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT p.id AS pool_id, p.round_seconds, p.min_run_seconds, last.cleared_at, coalesce(last.dropped > 0, FALSE) AS dropped,
                coalesce(last.cause <> 'timer', FALSE) AS early,
                (SELECT a.seen_at FROM alerts a WHERE a.pool_id = p.id AND a.code = $2 AND a.resolved_at IS NULL) AS refused_at,
                EXISTS (SELECT 1 FROM round_requests q WHERE q.pool_id = p.id) AS requested,
                greatest(
                    (SELECT b.created_at FROM bids b WHERE b.pool_id = p.id AND b.closed_at IS NULL ORDER BY b.id DESC LIMIT 1),
                    (SELECT j.created_at FROM jobs j WHERE j.pool_id = p.id AND j.closed_at IS NULL ORDER BY j.id DESC LIMIT 1)
                ) AS demand_at,
                (SELECT max(r.state_at) FROM rentals r WHERE r.pool_id = p.id AND r.state <> 'ended' AND r.state = 'pending') AS claimed_at,
                greatest(
                    (SELECT r.ended_at FROM rentals r WHERE r.pool_id = p.id AND r.state = 'ended' ORDER BY r.ended_at DESC LIMIT 1),
                    (SELECT max(r.notice_until) FROM rentals r WHERE r.pool_id = p.id AND r.state <> 'ended' AND r.notice_until <= $3),
                    (SELECT max(r.state_at) FROM rentals r WHERE r.pool_id = p.id AND r.state <> 'ended' AND r.state = 'stopped'),
                    (SELECT max(a.created_at) FROM asks a WHERE a.pool_id = p.id AND a.withdrawn_at IS NULL)
                ) AS freed_at
         FROM pools p
         LEFT JOIN LATERAL (SELECT r.cleared_at, r.cause, (r.summary->>'dropped')::int AS dropped FROM rounds r WHERE r.pool_id = p.id ORDER BY r.number DESC LIMIT 1) last ON TRUE
         WHERE p.id = ANY($1)",
    )
    .bind(&ids)
    .bind(refusal)
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    let mut pulses: BTreeMap<_, _> = rows.into_iter().map(|row| (row.pool_id, Pulse::from(row))).collect();
    let jobs: Vec<(Uuid, OffsetDateTime, Json<JobFairness>)> = sqlx::query_as(
        "SELECT pool_id, advanced_at, fairness FROM jobs
         WHERE pool_id = ANY($1) AND closed_at IS NULL AND state IN ('queued', 'preempted')",
    )
    .bind(&ids)
    .fetch_all(tx.conn())
    .await?;
    for (pool, advanced_at, Json(fairness)) in jobs {
        if let Some(pulse) = pulses.get_mut(&PoolId::from(pool)) {
            pulse.waiting.push(Waiting {
                advanced_at: to_at(advanced_at),
                credit_nanos: fairness.credit / 1000,
                share_nanos: fairness.share / 1000,
            });
        }
    }
    Ok(pulses)
}

impl From<Row> for Pulse {
    fn from(row: Row) -> Self {
        Self {
            round_millis: i64::from(row.round_seconds) * 1000,
            quantum_millis: i64::from(row.round_seconds.max(row.min_run_seconds)) * 1000,
            cleared_at: row.cleared_at.map(to_at),
            dropped: row.dropped,
            early: row.early,
            refused_at: row.refused_at.map(to_at),
            requested: row.requested,
            demand_at: row.demand_at.map(to_at),
            claimed_at: row.claimed_at.map(to_at),
            freed_at: row.freed_at.map(to_at),
            waiting: Vec::new(),
        }
    }
}

/// An operator asks for a round; asking again changes nothing. The next round, cleared or refused, answers it.
pub async fn request(tx: &mut Tx, pool: PoolId, now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO round_requests (pool_id, requested_at) VALUES ($1, $2) ON CONFLICT DO NOTHING")
        .bind(pool.uuid())
        .bind(now)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// What was asked for up to `at` has been answered.
pub async fn answer(tx: &mut Tx, pool: PoolId, at: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM round_requests WHERE pool_id = $1 AND requested_at <= $2")
        .bind(pool.uuid())
        .bind(at)
        .execute(tx.conn())
        .await?;
    Ok(())
}
