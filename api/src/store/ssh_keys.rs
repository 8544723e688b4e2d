//! Organisations' public SSH keys.

use scheduler::world::ids::{OrganisationId, SshKeyId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// One key once per organisation.
pub const EXISTS: &str = "ssh_keys_organisation_id_fingerprint_key";

/// A public key.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct StoredSshKey {
    /// Identity.
    #[sqlx(try_from = "Uuid")]
    pub id: SshKeyId,
    /// What people call it.
    pub name: String,
    /// `SHA256:…`
    pub fingerprint: String,
    /// The line of an `authorized_keys` file, without a comment.
    pub public_key: String,
    /// When it was added.
    pub created_at: OffsetDateTime,
}

/// Adds a key.
pub async fn insert(
    tx: &mut Tx,
    organisation: OrganisationId,
    by: UserId,
    key: &StoredSshKey,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO ssh_keys (id, organisation_id, created_by, name, public_key, fingerprint, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(key.id.uuid())
    .bind(organisation.uuid())
    .bind(by.uuid())
    .bind(&key.name)
    .bind(&key.public_key)
    .bind(&key.fingerprint)
    .bind(key.created_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// An organisation's keys, newest first.
pub async fn list(
    tx: &mut Tx,
    organisation: OrganisationId,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<StoredSshKey>, StoreError> {
    let keys = sqlx::query_as(
        "SELECT id, name, fingerprint, public_key, created_at FROM ssh_keys
         WHERE organisation_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3",
    )
    .bind(organisation.uuid())
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(keys)
}

/// How many keys an organisation has.
pub async fn count(tx: &mut Tx, organisation: OrganisationId) -> Result<i64, StoreError> {
    let count = sqlx::query_scalar("SELECT count(*) FROM ssh_keys WHERE organisation_id = $1")
        .bind(organisation.uuid())
        .fetch_one(tx.conn())
        .await?;
    Ok(count)
}

/// Removes a key; false if the organisation has none of that identity.
pub async fn remove(tx: &mut Tx, organisation: OrganisationId, id: SshKeyId) -> Result<bool, StoreError> {
    let result = sqlx::query("DELETE FROM ssh_keys WHERE organisation_id = $1 AND id = $2")
        .bind(organisation.uuid())
        .bind(id.uuid())
        .execute(tx.conn())
        .await?;
    Ok(result.rows_affected() == 1)
}
