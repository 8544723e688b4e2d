//! Promises' rows: making them, finding those that are due, settling them.

use std::collections::BTreeMap;

use scheduler::fairness::promise::Promise as Terms;
use scheduler::world::Micros;
use scheduler::world::ids::{JobId, NodeId, OrganisationId, PoolId, ProviderId, RentalId, TransferId};
use sqlx::postgres::PgRow;
use sqlx::types::Json;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::tx::exactly_one;
use super::{StoreError, Tx, column};
use crate::clock::from_at;
use crate::job::{Evidence, Fault, Promise, PromiseState};

/// Makes a promise to a job.
pub async fn insert(
    tx: &mut Tx,
    job: JobId,
    pool: PoolId,
    terms: &Terms,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO promises (job_id, pool_id, finish_by, cap_milli, terms, state, created_at)
         VALUES ($1, $2, $3, $4, $5, 'open', $6)",
    )
    .bind(job.uuid())
    .bind(pool.uuid())
    .bind(from_at(terms.finish_by))
    .bind(terms.cap_milli)
    .bind(Json(terms))
    .bind(now)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The promises that stand in a pool, each with the cap that it was made under.
pub async fn standing(tx: &mut Tx, pool: PoolId) -> Result<BTreeMap<JobId, i64>, StoreError> {
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(
        "SELECT p.job_id, p.cap_milli FROM promises p JOIN jobs j ON j.id = p.job_id
         WHERE p.pool_id = $1 AND p.state = 'open' AND j.closed_at IS NULL",
    )
    .bind(pool.uuid())
    .fetch_all(tx.conn())
    .await?;
    Ok(rows.into_iter().map(|(job, cap)| (job.into(), cap)).collect())
}

/// The promises of these jobs.
pub async fn of(tx: &mut Tx, jobs: &[JobId]) -> Result<BTreeMap<JobId, Promise>, StoreError> {
    let rows = sqlx::query("SELECT * FROM promises WHERE job_id = ANY($1)")
        .bind(jobs.iter().map(|id| id.uuid()).collect::<Vec<_>>())
        .fetch_all(tx.conn())
        .await?;
    let read = |row: &PgRow| Ok((column::id(row, "job_id")?, Promise::from_row(row)?));
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

impl<'r> FromRow<'r, PgRow> for Promise {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        let state: String = row.try_get("state")?;
        let unreadable = || sqlx::Error::ColumnDecode {
            index: "state".to_owned(),
            source: Box::new(super::UnknownValue(state.clone())),
        };
        Ok(Self {
            finish_by: row.try_get("finish_by")?,
            terms: row.try_get::<Json<Terms>, _>("terms")?.0,
            state: PromiseState::parse(&state).ok_or_else(unreadable)?,
            refund: column::amount(row, "refund_micros")?,
            transfer: column::id_option(row, "transfer_id")?,
            evidence: row.try_get::<Option<Json<Evidence>>, _>("evidence")?.map(|Json(evidence)| evidence),
            settled_at: row.try_get("settled_at")?,
        })
    }
}

/// A promise that can be settled: its time has passed, or its job is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Whose promise.
    pub job: JobId,
    /// Who pays for the job.
    pub organisation: OrganisationId,
    /// Where it ran.
    pub pool: PoolId,
    /// In which currency.
    pub currency: String,
    /// The promised time.
    pub finish_by: OffsetDateTime,
    /// Whether the job is completed.
    pub completed: bool,
    /// When it was closed.
    pub closed_at: Option<OffsetDateTime>,
    /// All its work.
    pub work: i64,
    /// What of it was done by the promised time, as far as it is known.
    pub done: i64,
    /// What the job has paid.
    pub paid: Micros,
}

/// Live rentals of jobs whose promises are due: their meters are read before what was paid is looked at.
pub async fn due_rentals(tx: &mut Tx, now: OffsetDateTime, rows: i64) -> Result<Vec<RentalId>, StoreError> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT r.id FROM promises p JOIN jobs j ON j.id = p.job_id JOIN rentals r ON r.id = j.rental_id AND r.state <> 'ended'
         WHERE p.state = 'open' AND p.finish_by <= $1 AND j.closed_at IS NULL ORDER BY r.id LIMIT $2",
    )
    .bind(now)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(ids.into_iter().map(Into::into).collect())
}

/// Promises that are due, with their jobs locked: whoever comes second finds them settled. A running job has done what its measured speed
/// gives since the last round.
pub async fn lock_due(tx: &mut Tx, now: OffsetDateTime, rows: i64) -> Result<Vec<Due>, StoreError> {
    let locked: Vec<Uuid> = sqlx::query_scalar(
        "SELECT j.id FROM jobs j JOIN promises p ON p.job_id = j.id
         WHERE p.state = 'open' AND (p.finish_by <= $1 OR j.closed_at IS NOT NULL) ORDER BY j.id LIMIT $2 FOR UPDATE OF j, p",
    )
    .bind(now)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    if locked.is_empty() {
        return Ok(Vec::new());
    }
    // A statement of its own, so that it sees what whoever held the locks before has written.
    let rows = sqlx::query(
        "SELECT j.id, j.organisation_id, j.pool_id, o.currency, p.finish_by, j.state = 'completed' AS completed, j.closed_at,
                j.work_milliunits, j.spent_micros,
                least(j.work_milliunits, j.done_milliunits + CASE WHEN r.id IS NULL THEN 0 ELSE greatest(0,
                    work_between(greatest(j.advanced_at, r.usable_at), p.finish_by, j.profile_id, j.gang, s.milliunits_per_second)) END)::bigint AS done
         FROM promises p
         JOIN jobs j ON j.id = p.job_id
         JOIN pools o ON o.id = j.pool_id
         LEFT JOIN rentals r ON r.id = j.rental_id AND r.state IN ('running', 'notice') AND r.usable_at IS NOT NULL
         LEFT JOIN profile_speeds s ON s.profile_id = j.profile_id AND s.class_id = r.class_id AND s.gang = j.gang
         WHERE p.job_id = ANY($1) ORDER BY j.id",
    )
    .bind(&locked)
    .fetch_all(tx.conn())
    .await?;
    let due = |row: &PgRow| {
        Ok(Due {
            job: column::id(row, "id")?,
            organisation: column::id(row, "organisation_id")?,
            pool: column::id(row, "pool_id")?,
            currency: row.try_get("currency")?,
            finish_by: row.try_get("finish_by")?,
            completed: row.try_get("completed")?,
            closed_at: row.try_get("closed_at")?,
            work: row.try_get("work_milliunits")?,
            done: row.try_get("done")?,
            paid: column::amount(row, "spent_micros")?,
        })
    };
    Ok(rows.iter().map(due).collect::<Result<_, sqlx::Error>>()?)
}

/// Rentals of the job that their providers lost before the promised time.
pub async fn faults(tx: &mut Tx, due: &Due) -> Result<Vec<Fault>, StoreError> {
    let rows: Vec<(Uuid, Uuid, Uuid, String)> = sqlx::query_as(
        "SELECT id, node_id, provider_id, reason FROM rentals
         WHERE job_id = $1 AND state = 'ended' AND ended_at <= $2 AND node_id IS NOT NULL AND provider_id IS NOT NULL
           AND reason IN ('node_lost', 'device_fault', 'provisioning_timeout', 'provider')
         ORDER BY id",
    )
    .bind(due.job.uuid())
    .bind(due.finish_by)
    .fetch_all(tx.conn())
    .await?;
    let fault = |(rental, node, provider, reason): (Uuid, Uuid, Uuid, String)| Fault {
        rental: RentalId::from(rental),
        node: NodeId::from(node),
        provider: ProviderId::from(provider),
        reason,
    };
    Ok(rows.into_iter().map(fault).collect())
}

/// What these providers earned from the job and still have pending, with their accounts locked.
pub async fn lock_earned(
    tx: &mut Tx,
    due: &Due,
    providers: &[ProviderId],
) -> Result<Vec<(ProviderId, Micros)>, StoreError> {
    if providers.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = providers.iter().map(|id| id.uuid()).collect();
    // The tenant's account comes before all others, as everywhere.
    sqlx::query(
        "SELECT id FROM accounts
         WHERE currency = $3 AND ((organisation_id = $1 AND kind = 'tenant_available') OR (provider_id = ANY($2) AND kind = 'provider_pending'))
         ORDER BY organisation_id IS NULL, id FOR UPDATE",
    )
    .bind(due.organisation.uuid())
    .bind(&ids)
    .bind(&due.currency)
    .execute(tx.conn())
    .await?;
    let rows: Vec<(Uuid, i64)> = sqlx::query_as(
        "SELECT a.provider_id, least(a.balance_micros, coalesce(sum(u.amount_micros - u.fee_micros), 0))::bigint
         FROM accounts a
         LEFT JOIN (usage_intervals u JOIN rentals r ON r.id = u.rental_id AND r.job_id = $1) ON u.provider_id = a.provider_id
         WHERE a.provider_id = ANY($2) AND a.kind = 'provider_pending' AND a.currency = $3
         GROUP BY a.id, a.provider_id, a.balance_micros ORDER BY a.provider_id",
    )
    .bind(due.job.uuid())
    .bind(&ids)
    .bind(&due.currency)
    .fetch_all(tx.conn())
    .await?;
    Ok(rows.into_iter().map(|(id, micros)| (id.into(), Micros::new(micros))).collect())
}

/// The first and the last round of the pool while the promise could be kept.
pub async fn rounds(tx: &mut Tx, due: &Due) -> Result<Option<(i64, i64)>, StoreError> {
    let (first, last): (Option<i64>, Option<i64>) = sqlx::query_as(
        "SELECT min(r.number), max(r.number) FROM rounds r JOIN jobs j ON j.id = $2
         WHERE r.pool_id = $1 AND r.cleared_at >= j.created_at AND r.cleared_at <= $3",
    )
    .bind(due.pool.uuid())
    .bind(due.job.uuid())
    .bind(due.finish_by)
    .fetch_one(tx.conn())
    .await?;
    Ok(first.zip(last))
}

/// Who runs each of these providers.
pub async fn organisations(
    tx: &mut Tx,
    providers: &[ProviderId],
) -> Result<BTreeMap<ProviderId, OrganisationId>, StoreError> {
    let rows: Vec<(Uuid, Uuid)> = sqlx::query_as("SELECT id, organisation_id FROM providers WHERE id = ANY($1)")
        .bind(providers.iter().map(|id| id.uuid()).collect::<Vec<_>>())
        .fetch_all(tx.conn())
        .await?;
    Ok(rows.into_iter().map(|(id, organisation)| (id.into(), organisation.into())).collect())
}

/// Settles an open promise.
pub async fn settle(
    tx: &mut Tx,
    job: JobId,
    state: PromiseState,
    missed: Option<(&Evidence, Micros, Option<TransferId>)>,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let result = sqlx::query(
        "UPDATE promises SET state = $2, evidence = $3, refund_micros = $4, transfer_id = $5, settled_at = $6
         WHERE job_id = $1 AND state = 'open'",
    )
    .bind(job.uuid())
    .bind(state.as_str())
    .bind(missed.map(|(evidence, ..)| Json(evidence)))
    .bind(missed.map_or(0, |(_, refund, _)| refund.get()))
    .bind(missed.and_then(|(.., transfer)| transfer).map(|id| id.uuid()))
    .bind(now)
    .execute(tx.conn())
    .await?;
    exactly_one("settle a promise", &result)
}
