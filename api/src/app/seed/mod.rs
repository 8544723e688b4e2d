//! What a new market begins with: the standard device classes, profiles of well-known workloads, and one pool.
//!
//! Runs at every start and adds only what is missing: what an operator made or changed is never touched.

mod classes;
mod profiles;

use time::OffsetDateTime;

use super::pool_settings::paced;
use crate::config::Config;
use crate::entropy::Entropy;
use crate::store::pools::Pool;
use crate::store::{StoreError, Tx, device_classes, pools, profiles as stored_profiles};

pub use classes::CPU_NODE;

/// The name of the first pool.
pub const POOL: &str = "main";

/// Adds what is missing.
pub async fn seed(tx: &mut Tx, entropy: &dyn Entropy, config: &Config, now: OffsetDateTime) -> Result<(), StoreError> {
    device_classes::add(tx, &classes::standard()?, now).await?;
    stored_profiles::add(tx, &profiles::standard(entropy, now)?, now).await?;
    if !pools::any(tx).await? {
        pools::insert(tx, &first_pool(entropy, config, now)?).await?;
    }
    Ok(())
}

fn first_pool(entropy: &dyn Entropy, config: &Config, now: OffsetDateTime) -> Result<Pool, StoreError> {
    let round_seconds = i32::try_from(config.round_seconds).unwrap_or(i32::MAX);
    let settings = paced(round_seconds).map_err(|error| StoreError::corrupt("round_seconds setting", error))?;
    let (name, currency) = (POOL.to_owned(), config.currency.clone());
    Ok(Pool { id: entropy.id(now), name, currency, settings, created_at: now, version: 1 })
}
