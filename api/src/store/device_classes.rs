//! Device classes' rows.

use scheduler::world::class::{ClassId, DeviceClass};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};
use time::OffsetDateTime;

use super::{StoreError, Tx, column};

struct ClassRow(DeviceClass);

impl<'r> FromRow<'r, PgRow> for ClassRow {
    fn from_row(row: &'r PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self(DeviceClass {
            id: column::parsed(row, "id")?,
            vendor: row.try_get("vendor")?,
            model: row.try_get("model")?,
            memory_mib: row.try_get("memory_mib")?,
            mig_profile: row.try_get("mig_profile")?,
        }))
    }
}

/// Every class, in the order of its key.
pub async fn all(tx: &mut Tx) -> Result<Vec<DeviceClass>, StoreError> {
    let rows: Vec<ClassRow> =
        sqlx::query_as("SELECT id, vendor, model, memory_mib, mig_profile FROM device_classes ORDER BY id")
            .fetch_all(tx.conn())
            .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Adds the classes that are not there yet; returns the keys of those that were added.
pub async fn add(tx: &mut Tx, classes: &[DeviceClass], now: OffsetDateTime) -> Result<Vec<String>, StoreError> {
    let ids: Vec<_> = classes.iter().map(|class| class.id.as_str()).collect();
    let vendors: Vec<_> = classes.iter().map(|class| class.vendor.as_str()).collect();
    let models: Vec<_> = classes.iter().map(|class| class.model.as_str()).collect();
    let memories: Vec<_> = classes.iter().map(|class| class.memory_mib).collect();
    let profiles: Vec<_> = classes.iter().map(|class| class.mig_profile.as_deref()).collect();
    let added = sqlx::query_scalar(
        "INSERT INTO device_classes (id, vendor, model, memory_mib, mig_profile, created_at)
         SELECT c.id, c.vendor, c.model, c.memory_mib, c.mig_profile, $6
         FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
              AS c (id, vendor, model, memory_mib, mig_profile)
         ON CONFLICT (id) DO NOTHING RETURNING id",
    )
    .bind(ids)
    .bind(vendors)
    .bind(models)
    .bind(memories)
    .bind(profiles)
    .bind(now)
    .fetch_all(tx.conn())
    .await?;
    Ok(added)
}

/// The classes of those keys, as far as there are such classes.
pub async fn named(tx: &mut Tx, ids: &[ClassId]) -> Result<Vec<DeviceClass>, StoreError> {
    let ids: Vec<_> = ids.iter().map(ClassId::as_str).collect();
    let rows: Vec<ClassRow> = sqlx::query_as(
        "SELECT id, vendor, model, memory_mib, mig_profile FROM device_classes WHERE id = ANY($1) ORDER BY id",
    )
    .bind(ids)
    .fetch_all(tx.conn())
    .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}
