//! What tenants call their jobs, for views that show theirs among everybody's.

use std::collections::BTreeMap;

use scheduler::world::ids::{JobId, OrganisationId, PoolId};
use uuid::Uuid;

use super::{StoreError, Tx};

/// The names of an organisation's live jobs in a pool.
pub async fn live(
    tx: &mut Tx,
    organisation: OrganisationId,
    pool: PoolId,
) -> Result<BTreeMap<JobId, String>, StoreError> {
    let rows: Vec<(Uuid, String)> =
        sqlx::query_as("SELECT id, name FROM jobs WHERE organisation_id = $1 AND pool_id = $2 AND closed_at IS NULL")
            .bind(organisation.uuid())
            .bind(pool.uuid())
            .fetch_all(tx.conn())
            .await?;
    Ok(rows.into_iter().map(|(id, name)| (id.into(), name)).collect())
}
