//! Rounds opened for reading: the record parsed, and who may see which identity in it. The few rounds that everybody
//! looks at are kept, since a large pool's record takes a while to parse and never changes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use scheduler::RoundRecord;
use scheduler::world::ids::{OrganisationId, PoolId};

use crate::records::{Applied, Pseudonyms};
use crate::store::rounds::{self, Found};
use crate::store::{StoreError, Tx};

/// Rounds kept open.
const KEPT: usize = 8;

/// A round with everything that is stored about it.
#[derive(Debug)]
pub struct Opened {
    /// Its row.
    pub found: Found,
    /// What decided it.
    pub record: RoundRecord,
    /// What was applied.
    pub applied: Applied,
    /// The header's canonical text.
    pub header: String,
    /// What strangers see instead of identities.
    pub pseudonyms: Pseudonyms,
}

impl Opened {
    /// The identities in the record that belong to the organisation: its demands, and the rentals that serve them.
    #[must_use]
    pub fn own(&self, organisation: OrganisationId) -> BTreeSet<String> {
        let demands = self.record.snapshot.demands.iter().filter(|demand| demand.owner == organisation);
        let held = self.record.snapshot.holdings.iter().filter(|holding| holding.owner == organisation);
        let mut own: BTreeSet<String> = demands.map(|demand| demand.id().to_string()).collect();
        own.extend(held.flat_map(|holding| [holding.rental.to_string(), holding.demand.to_string()]));
        own
    }
}

/// The rounds that were opened last.
#[derive(Debug, Default)]
pub struct OpenRounds(Mutex<Vec<Arc<Opened>>>);

impl OpenRounds {
    /// Opens a round of the pool; the last one when no number is named.
    pub async fn open(
        &self,
        tx: &mut Tx,
        pool: PoolId,
        number: Option<i64>,
    ) -> Result<Option<Arc<Opened>>, StoreError> {
        let Some(found) = rounds::find(tx, pool, number).await? else { return Ok(None) };
        if let Some(kept) = self.kept(&found) {
            return Ok(Some(kept));
        }
        let Some((record, applied, header)) = rounds::find_text(tx, pool, Some(found.number)).await? else {
            return Ok(None);
        };
        let parsed = tokio::task::spawn_blocking(move || parse(found, &record, &applied, header)).await;
        let opened = Arc::new(parsed.map_err(|panic| StoreError::corrupt("record of a round", panic))??);
        let mut rounds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rounds.insert(0, Arc::clone(&opened));
        rounds.truncate(KEPT);
        Ok(Some(opened))
    }

    fn kept(&self, found: &Found) -> Option<Arc<Opened>> {
        let mut rounds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = rounds.iter().position(|kept| kept.found.id == found.id)?;
        let kept = rounds.remove(at);
        rounds.insert(0, Arc::clone(&kept));
        Some(kept)
    }
}

fn parse(found: Found, record: &str, applied: &str, header: String) -> Result<Opened, StoreError> {
    let unreadable = |error| StoreError::corrupt("record of a round", error);
    Ok(Opened {
        found,
        pseudonyms: Pseudonyms::of(record),
        record: serde_json::from_str(record).map_err(unreadable)?,
        applied: serde_json::from_str(applied).map_err(unreadable)?,
        header,
    })
}
