//! The whole of a pool as one round sees it, read in one repeatable-read transaction with a fixed number of set-based
//! statements, whatever the size of the pool. Rows become plain data here; a row that cannot is a typed error.

mod demands;
mod holdings;
mod pool;
mod supply;

pub(super) use supply::nodes;

use scheduler::world::ids::PoolId;
use scheduler::world::{Rules, Snapshot};
use time::OffsetDateTime;

use super::{StoreError, Tx};
use crate::clock::to_at;

/// A pool's world and its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// The world, in canonical order.
    pub snapshot: Snapshot,
    /// The settings that the round goes by.
    pub rules: Rules,
}

/// Reads the pool as of `now` for its next round; `None` if there is no such pool. `tx` must be a snapshot
/// transaction, or the parts would be of different instants.
pub async fn load(tx: &mut Tx, pool: PoolId, now: OffsetDateTime) -> Result<Option<World>, StoreError> {
    let Some(settings) = pool::load(tx, pool).await? else { return Ok(None) };
    let classes = supply::classes(tx, pool, settings.last_number).await?;
    let nodes = nodes(tx, pool, None, now).await?;
    let mut demands = demands::on_demand(tx, pool).await?;
    demands.extend(demands::bids(tx, pool).await?);
    demands.extend(demands::jobs(tx, pool).await?);
    let snapshot = Snapshot {
        pool,
        number: settings.last_number + 1,
        at: to_at(now),
        classes,
        nodes,
        demands,
        holdings: holdings::load(tx, pool, settings.rules.min_run).await?,
        departed: demands::departed(tx, pool).await?,
        promised: pool::promised(tx, pool, settings.last_number).await?,
        quotas: Vec::new(),
    };
    Ok(Some(World { snapshot: snapshot.canonical(), rules: settings.rules }))
}

/// A stored value as the market's type.
fn valid<T, E: std::fmt::Display>(what: &'static str, value: Result<T, E>) -> Result<T, StoreError> {
    value.map_err(|error| StoreError::corrupt(what, error))
}
