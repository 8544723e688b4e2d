//! An operator changes a pool's settings. The next round goes by them; what was agreed before stays: a rental keeps its
//! price and its fee.

use scheduler::world::class::ClassId;
use scheduler::world::ids::PoolId;
use scheduler::world::money::PricePerHour;

use super::Ctx;
use super::pool_events::of_pool;
use super::pool_settings::{SettingOutOfRange, SettingsChange};
use crate::store::pools::Pool;
use crate::store::{StoreError, device_classes, events, pools};

/// The entitlement price of a class; `None` lets it follow the lowest floor again.
pub type EntitlementPrice = (ClassId, Option<PricePerHour>);

/// Why a pool was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangePoolError {
    /// No such pool.
    #[error("there is no such pool")]
    NoSuchPool,
    /// No such class.
    #[error("there is no device class {0}; GET /v1/device-classes lists them")]
    NoSuchClass(ClassId),
    /// A figure that no pool can have.
    #[error(transparent)]
    Setting(#[from] SettingOutOfRange),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Changes the pool. A change that changes nothing leaves no trace.
pub async fn change_pool(
    ctx: &mut Ctx<'_>,
    id: PoolId,
    change: &SettingsChange,
    entitlements: &[EntitlementPrice],
) -> Result<Pool, ChangePoolError> {
    let pool = pools::find(&mut ctx.tx, id).await?.ok_or(ChangePoolError::NoSuchPool)?;
    let settings = change.apply(&pool.settings)?;
    if settings == pool.settings && entitlements.is_empty() {
        return Ok(pool);
    }
    let named: Vec<ClassId> = entitlements.iter().map(|(class, _)| class.clone()).collect();
    let known = device_classes::named(&mut ctx.tx, &named).await?;
    if let Some(missing) = named.into_iter().find(|class| known.iter().all(|known| known.id != *class)) {
        return Err(ChangePoolError::NoSuchClass(missing));
    }
    pools::change(&mut ctx.tx, &pool, &settings).await?;
    pools::set_entitlement_prices(&mut ctx.tx, pool.id, entitlements).await?;
    let changed = Pool { settings, version: pool.version + 1, ..pool };
    let told = [of_pool(ctx, "pool.changed", &changed)];
    events::record(&mut ctx.tx, &told, ctx.now).await?;
    Ok(changed)
}
