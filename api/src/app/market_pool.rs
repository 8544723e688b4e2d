//! A pool with its market figures.

use scheduler::world::ids::PoolId;
use time::{Duration, OffsetDateTime};

use crate::store::market::{self, Activity, ClassFigures};
use crate::store::pools::Pool;
use crate::store::{StoreError, Tx};

/// A pool, how busy it is, and what its classes cost.
#[derive(Debug, Clone)]
pub struct MarketPool {
    /// The pool.
    pub pool: Pool,
    /// How busy it is.
    pub activity: Activity,
    /// The classes it has devices of.
    pub classes: Vec<ClassFigures>,
}

impl MarketPool {
    /// When the next round is due: one period after the last.
    #[must_use]
    pub fn next_round_at(&self) -> Option<OffsetDateTime> {
        let (_, cleared_at) = self.activity.last_round?;
        cleared_at.checked_add(Duration::seconds(self.pool.settings.round_seconds.into()))
    }
}

/// Adds the figures to pools, in two statements however many there are.
pub async fn complete(tx: &mut Tx, pools: Vec<Pool>, now: OffsetDateTime) -> Result<Vec<MarketPool>, StoreError> {
    let ids: Vec<PoolId> = pools.iter().map(|pool| pool.id).collect();
    let mut activity = market::activity(tx, &ids).await?;
    let classes = market::classes(tx, &ids, now).await?;
    let mut completed = Vec::new();
    for pool in pools {
        let found = activity.iter().position(|row| row.pool == pool.id);
        let found = found.ok_or_else(|| StoreError::corrupt("pool", format!("{} has no figures", pool.id)))?;
        completed.push(MarketPool {
            activity: activity.swap_remove(found),
            classes: classes.iter().filter(|class| class.pool == pool.id).cloned().collect(),
            pool,
        });
    }
    Ok(completed)
}

/// Adds the figures to one pool.
pub async fn complete_one(tx: &mut Tx, pool: Pool, now: OffsetDateTime) -> Result<MarketPool, StoreError> {
    let mut completed = complete(tx, vec![pool], now).await?;
    completed.pop().ok_or_else(|| StoreError::corrupt("pool", "it vanished"))
}

/// Change from one price to another, in hundredths of a percent, rounded towards zero.
#[must_use]
pub fn change_bps(figures: &ClassFigures) -> Option<i64> {
    let (now, before) = (figures.price?.micros(), figures.price_day_before?.micros());
    let change = (i128::from(now) - i128::from(before)) * 10_000 / i128::from(before);
    i64::try_from(change).ok()
}
