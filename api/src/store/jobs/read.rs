//! Reading jobs.

use scheduler::world::ids::{JobId, OrganisationId, RentalId};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::job::{Job, JobState, Promise, StateName, Unit};
use crate::store::{StoreError, Tx, UnknownValue, column, promises};

/// A job, and the currency it is paid in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// The job.
    pub job: Job,
    /// The currency of its pool.
    pub currency: String,
    /// Its promise, if it has one.
    pub promise: Option<Promise>,
}

/// Which jobs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Filter {
    /// In this state only.
    pub state: Option<StateName>,
}

/// One of the organisation's jobs.
pub async fn find(tx: &mut Tx, organisation: OrganisationId, id: JobId) -> Result<Option<Submitted>, StoreError> {
    let submitted = sqlx::query_as(
        "SELECT j.*, p.currency, f.unit FROM jobs j JOIN pools p ON p.id = j.pool_id LEFT JOIN profiles f ON f.id = j.profile_id
         WHERE j.organisation_id = $1 AND j.id = $2",
    )
    .bind(organisation.uuid())
    .bind(id.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(with_promises(tx, Vec::from_iter::<Option<Submitted>>(submitted)).await?.pop())
}

/// The organisation's jobs, newest first.
pub async fn list(
    tx: &mut Tx,
    organisation: OrganisationId,
    filter: Filter,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<Submitted>, StoreError> {
    let submitted = sqlx::query_as(
        "SELECT j.*, p.currency, f.unit FROM jobs j JOIN pools p ON p.id = j.pool_id LEFT JOIN profiles f ON f.id = j.profile_id
         WHERE j.organisation_id = $1 AND ($2::text IS NULL OR j.state = $2) AND ($3::uuid IS NULL OR j.id < $3)
         ORDER BY j.id DESC LIMIT $4",
    )
    .bind(organisation.uuid())
    .bind(filter.state.map(StateName::as_str))
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    with_promises(tx, submitted).await
}

async fn with_promises(tx: &mut Tx, mut submitted: Vec<Submitted>) -> Result<Vec<Submitted>, StoreError> {
    let ids: Vec<JobId> = submitted.iter().map(|submitted| submitted.job.id).collect();
    let mut found = promises::of(tx, &ids).await?;
    for submitted in &mut submitted {
        submitted.promise = found.remove(&submitted.job.id);
    }
    Ok(submitted)
}

impl<'r> FromRow<'r, PgRow> for Submitted {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        let unit = match row.try_get::<Option<String>, _>("unit")? {
            Some(_) => column::parsed(row, "unit")?,
            None => Unit::GpuHours,
        };
        let job = Job {
            id: column::id(row, "id")?,
            organisation: column::id(row, "organisation_id")?,
            pool: column::id(row, "pool_id")?,
            created_by: column::id(row, "created_by")?,
            name: row.try_get("name")?,
            request: row.try_get("request")?,
            profile: column::id_option(row, "profile_id")?,
            unit,
            classes: column::all_parsed(row, "class_ids")?,
            gang: row.try_get("gang")?,
            weight_milli: row.try_get("weight_milli")?,
            work: row.try_get("work_milliunits")?,
            done: row.try_get("done_milliunits")?,
            reference: row.try_get("reference_milliunits")?,
            rho_ppm: row.try_get("rho_ppm")?,
            lag_millis: row.try_get("lag_millis")?,
            budget: column::amount(row, "budget_micros")?,
            spent: column::amount(row, "spent_micros")?,
            command: row.try_get("command")?,
            state: state(row)?,
            rental: column::id_option(row, "rental_id")?,
            created_at: row.try_get("created_at")?,
            version: row.try_get("version")?,
        };
        Ok(Self { job, currency: row.try_get("currency")?, promise: None })
    }
}

/// The state that the columns describe together.
fn state(row: &PgRow) -> Result<JobState, sqlx::Error> {
    let name: String = row.try_get("state")?;
    let unreadable =
        || sqlx::Error::ColumnDecode { index: "state".to_owned(), source: Box::new(UnknownValue(name.clone())) };
    let rental = column::id_option::<RentalId>(row, "rental_id")?.ok_or_else(unreadable);
    let closed_at = row.try_get::<Option<OffsetDateTime>, _>("closed_at")?.ok_or_else(unreadable);
    Ok(match StateName::parse(&name).ok_or_else(unreadable)? {
        StateName::Queued => JobState::Queued,
        StateName::Running => JobState::Running { rental: rental? },
        StateName::Preempted => JobState::Preempted,
        StateName::Completed => JobState::Completed { at: closed_at? },
        StateName::Failed => JobState::Failed { at: closed_at? },
        StateName::Cancelled => JobState::Cancelled { at: closed_at? },
    })
}
