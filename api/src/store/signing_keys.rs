//! The key pairs behind access tokens.

use time::OffsetDateTime;

use super::{StoreError, Tx};

/// A key pair to add.
#[derive(Clone)]
pub struct NewKey {
    /// Its name in a token's header.
    pub kid: String,
    /// The private key in PKCS #8.
    pub private_der: Vec<u8>,
    /// The public key's 32 bytes.
    pub public_raw: Vec<u8>,
}

/// A key pair. No `Debug`: the private key must not be printed.
#[derive(sqlx::FromRow)]
pub struct StoredKey {
    /// Its name in a token's header.
    pub kid: String,
    /// The private key in PKCS #8.
    pub private_der: Vec<u8>,
    /// The public key's 32 bytes.
    pub public_raw: Vec<u8>,
    /// Since when it signs nothing new.
    pub retired_at: Option<OffsetDateTime>,
}

/// All keys, oldest first.
pub async fn all(tx: &mut Tx) -> Result<Vec<StoredKey>, StoreError> {
    let keys =
        sqlx::query_as("SELECT kid, private_der, public_raw, retired_at FROM signing_keys ORDER BY created_at, kid")
            .fetch_all(tx.conn())
            .await?;
    Ok(keys)
}

/// Adds a key.
pub async fn insert(tx: &mut Tx, key: &NewKey, now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO signing_keys (kid, private_der, public_raw, created_at) VALUES ($1, $2, $3, $4)")
        .bind(&key.kid)
        .bind(&key.private_der)
        .bind(&key.public_raw)
        .bind(now)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// Retires all keys but one: they sign nothing new.
pub async fn retire_others(tx: &mut Tx, kid: &str, now: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query("UPDATE signing_keys SET retired_at = $2 WHERE kid <> $1 AND retired_at IS NULL")
        .bind(kid)
        .bind(now)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// Removes keys that were retired long ago: nothing that they signed can still count.
pub async fn remove_retired(tx: &mut Tx, before: OffsetDateTime) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM signing_keys WHERE retired_at < $1").bind(before).execute(tx.conn()).await?;
    Ok(())
}
