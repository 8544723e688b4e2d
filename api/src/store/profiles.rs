//! Profiles' rows: measured speeds of workloads.

use scheduler::world::class::ClassId;
use scheduler::world::ids::ProfileId;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx, column};
pub use crate::job::Unit as ProfileUnit;

/// A workload whose speed is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Identity.
    pub id: ProfileId,
    /// What people call the workload.
    pub name: String,
    /// What its speeds count.
    pub unit: ProfileUnit,
    /// Where the figures come from.
    pub source: String,
    /// Its speeds, by class and gang.
    pub speeds: Vec<Speed>,
}

/// The speed of a whole gang on devices of one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speed {
    /// On which class.
    pub class: ClassId,
    /// With how many devices.
    pub gang: i32,
    /// Thousandths of the unit per second.
    pub milliunits_per_second: i64,
}

struct ProfileRow(Profile);

impl<'r> FromRow<'r, PgRow> for ProfileRow {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self(Profile {
            id: column::id(row, "id")?,
            name: row.try_get("name")?,
            unit: column::parsed(row, "unit")?,
            source: row.try_get("source")?,
            speeds: Vec::new(),
        }))
    }
}

struct SpeedRow(ProfileId, Speed);

impl<'r> FromRow<'r, PgRow> for SpeedRow {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        let speed = Speed {
            class: column::parsed(row, "class_id")?,
            gang: row.try_get("gang")?,
            milliunits_per_second: row.try_get("milliunits_per_second")?,
        };
        Ok(Self(column::id(row, "profile_id")?, speed))
    }
}

/// Adds the profiles whose names are free, with their speeds; returns how many were added.
pub async fn add(tx: &mut Tx, profiles: &[Profile], now: OffsetDateTime) -> Result<u64, StoreError> {
    let ids: Vec<_> = profiles.iter().map(|profile| profile.id.uuid()).collect();
    let names: Vec<_> = profiles.iter().map(|profile| profile.name.as_str()).collect();
    let units: Vec<_> = profiles.iter().map(|profile| profile.unit.as_str()).collect();
    let sources: Vec<_> = profiles.iter().map(|profile| profile.source.as_str()).collect();
    let speeds = || profiles.iter().flat_map(|profile| profile.speeds.iter().map(|speed| (profile.id, speed)));
    let owners: Vec<_> = speeds().map(|(id, _)| id.uuid()).collect();
    let classes: Vec<_> = speeds().map(|(_, speed)| speed.class.as_str()).collect();
    let gangs: Vec<_> = speeds().map(|(_, speed)| speed.gang).collect();
    let milliunits: Vec<_> = speeds().map(|(_, speed)| speed.milliunits_per_second).collect();
    let added = sqlx::query(
        "INSERT INTO profiles (id, name, unit, source, created_at)
         SELECT p.id, p.name, p.unit, p.source, $5
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS p (id, name, unit, source)
         ON CONFLICT (name) DO NOTHING",
    )
    .bind(ids)
    .bind(names)
    .bind(units)
    .bind(sources)
    .bind(now)
    .execute(tx.conn())
    .await?;
    sqlx::query(
        "INSERT INTO profile_speeds (profile_id, class_id, gang, milliunits_per_second)
         SELECT s.profile_id, s.class_id, s.gang, s.milliunits_per_second
         FROM unnest($1::uuid[], $2::text[], $3::int[], $4::bigint[])
              AS s (profile_id, class_id, gang, milliunits_per_second)
         WHERE EXISTS (SELECT 1 FROM profiles p WHERE p.id = s.profile_id)",
    )
    .bind(owners)
    .bind(classes)
    .bind(gangs)
    .bind(milliunits)
    .execute(tx.conn())
    .await?;
    Ok(added.rows_affected())
}

/// Profiles with their speeds, newest first.
pub async fn list(tx: &mut Tx, before: Option<Uuid>, rows: i64) -> Result<Vec<Profile>, StoreError> {
    let found: Vec<ProfileRow> = sqlx::query_as(
        "SELECT id, name, unit, source FROM profiles WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2",
    )
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    let ids: Vec<_> = found.iter().map(|row| row.0.id.uuid()).collect();
    let speeds: Vec<SpeedRow> = sqlx::query_as(
        "SELECT profile_id, class_id, gang, milliunits_per_second FROM profile_speeds
         WHERE profile_id = ANY($1) ORDER BY profile_id, class_id, gang",
    )
    .bind(ids)
    .fetch_all(tx.conn())
    .await?;
    let of = |id| speeds.iter().filter(|row| row.0 == id).map(|row| row.1.clone()).collect();
    Ok(found.into_iter().map(|row| Profile { speeds: of(row.0.id), ..row.0 }).collect())
}

/// The profile of that id, with its speeds.
pub async fn find(tx: &mut Tx, id: ProfileId) -> Result<Option<Profile>, StoreError> {
    let found: Option<ProfileRow> = sqlx::query_as("SELECT id, name, unit, source FROM profiles WHERE id = $1")
        .bind(id.uuid())
        .fetch_optional(tx.conn())
        .await?;
    let Some(ProfileRow(profile)) = found else { return Ok(None) };
    let speeds: Vec<SpeedRow> = sqlx::query_as(
        "SELECT profile_id, class_id, gang, milliunits_per_second FROM profile_speeds WHERE profile_id = $1 ORDER BY class_id, gang",
    )
    .bind(id.uuid())
    .fetch_all(tx.conn())
    .await?;
    Ok(Some(Profile { speeds: speeds.into_iter().map(|row| row.1).collect(), ..profile }))
}
