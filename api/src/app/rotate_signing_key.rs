//! New access tokens are signed by a new key; those signed by the old one count until they have expired.

use time::OffsetDateTime;

use super::auth::make_signing_key;
use crate::config::limits;
use crate::entropy::Entropy;
use crate::store::{StoreError, Tx, signing_keys};

/// Adds a key, retires the others and removes those that were retired long ago. Answers the new key's name.
pub async fn rotate_signing_key(tx: &mut Tx, entropy: &dyn Entropy, now: OffsetDateTime) -> Result<String, StoreError> {
    let key = make_signing_key(entropy);
    signing_keys::insert(tx, &key, now).await?;
    signing_keys::retire_others(tx, &key.kid, now).await?;
    signing_keys::remove_retired(tx, now - limits::RETIRED_KEY).await?;
    Ok(key.kid)
}
