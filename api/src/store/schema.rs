//! Whether the database has the schema that this version was built with.

use super::{StoreError, Tx, migrations};

/// Whether exactly the migrations of this binary are applied, or newer ones: those only add (expand first).
pub async fn is_current(tx: &mut Tx) -> Result<bool, StoreError> {
    let applied: Vec<i64> = sqlx::query_scalar("SELECT version FROM _sqlx_migrations WHERE success ORDER BY version")
        .fetch_all(tx.conn())
        .await?;
    Ok(migrations().iter().all(|migration| applied.contains(&migration.version)))
}
