//! What a new market begins with: the standard device classes, profiles of well-known workloads, and one pool.
//!
//! Runs at every start and adds only what is missing: what an operator made or changed is never touched.

mod classes;
mod profiles;

use scheduler::world::money::PricePerHour;
use scheduler::world::rules::{PriceRule, SharePolicy};
use time::OffsetDateTime;

use crate::config::Config;
use crate::entropy::Entropy;
use crate::store::pools::{Pool, PoolSettings};
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

/// The first pool: every period follows from the time between rounds.
fn first_pool(entropy: &dyn Entropy, config: &Config, now: OffsetDateTime) -> Result<Pool, StoreError> {
    let round_seconds = i32::try_from(config.round_seconds).unwrap_or(i32::MAX);
    let limit_cap = PricePerHour::from_micros(LIMIT_CAP_MICROS).map_err(|error| StoreError::corrupt("cap", error))?;
    Ok(Pool {
        id: entropy.id(now),
        name: POOL.to_owned(),
        currency: config.currency.clone(),
        settings: PoolSettings {
            share_policy: SharePolicy::FinishTimeFair,
            price_rule: PriceRule::UniformPrice,
            round_seconds,
            notice_seconds: round_seconds,
            min_run_seconds: round_seconds.saturating_mul(5),
            restart_seconds: round_seconds / 6,
            fee_bps: 500,
            phi_ppm: 300_000,
            limit_cap,
        },
        created_at: now,
        version: 1,
    })
}

/// The first pool's largest limit: 100 per device and hour.
const LIMIT_CAP_MICROS: i64 = 100_000_000;
