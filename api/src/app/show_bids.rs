//! Bids with what the market says about them: the last prices of their classes and their latest explanations.

use std::collections::BTreeMap;

use scheduler::world::{ClassId, PricePerHour};

use crate::store::bids::Booked;
use crate::store::explanations::{self, Explained};
use crate::store::{StoreError, Tx, prices};

/// A bid and what the market says about it.
#[derive(Debug, Clone)]
pub struct ShownBid {
    /// The bid and its hold.
    pub booked: Booked,
    /// The last prices of its classes.
    pub prices: Vec<(ClassId, Option<PricePerHour>)>,
    /// Why it got what it got, if a round has looked at it.
    pub explained: Option<Explained>,
}

/// Adds the market's word to bids, in two statements however many there are.
pub async fn show_bids(tx: &mut Tx, bids: Vec<Booked>) -> Result<Vec<ShownBid>, StoreError> {
    let demands: Vec<_> = bids.iter().map(|booked| booked.bid.demand()).collect();
    let mut explained: BTreeMap<_, _> = explanations::find(tx, &demands).await?;
    let classes = bids.iter().flat_map(|booked| booked.bid.classes.iter().map(|class| (booked.bid.pool, class)));
    let latest = prices::latest(tx, &classes.collect::<Vec<_>>()).await?;
    let shown = bids.into_iter().map(|booked| {
        let pool = booked.bid.pool;
        let price = |class: &ClassId| (class.clone(), latest.get(&(pool, class.clone())).copied());
        ShownBid {
            prices: booked.bid.classes.iter().map(price).collect(),
            explained: explained.remove(&booked.bid.demand()),
            booked,
        }
    });
    Ok(shown.collect())
}
