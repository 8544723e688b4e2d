//! Reads the meters that are due, ends what cannot go on, and warns of wallets that run dry.

use std::collections::BTreeSet;

use scheduler::world::ids::OrganisationId;
use serde_json::json;
use time::OffsetDateTime;

use super::end_rentals::{End, end_rentals};
use super::meter_rentals::{Metering, meter_rentals};
use crate::config::limits;
use crate::entropy::Entropy;
use crate::ledger::meter::Stop;
use crate::ledger::runway::{Runway, Warning};
use crate::rental::EndReason;
use crate::store::events::{self, NewEvent};
use crate::store::wallet::{self, RunningWallet};
use crate::store::{StoreError, Tx, metering};

/// What a reading came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    /// Meters that were read.
    pub meters: usize,
    /// Rentals that ended by it.
    pub ended: usize,
    /// Whether more may be due.
    pub more: bool,
}

/// Reads one batch of due meters, the oldest reading first.
pub async fn meter_due(tx: &mut Tx, entropy: &dyn Entropy, now: OffsetDateTime) -> Result<Read, StoreError> {
    let due = metering::due(tx, now, now - limits::METER_READING, limits::METERS_TOGETHER).await?;
    let read = meter_rentals(tx, entropy, &due, now, now).await?;
    let ends: Vec<_> = read.iter().filter_map(end).collect();
    let ended = end_rentals(tx, entropy, &ends, now, now).await?;
    let payers: BTreeSet<_> = read.iter().map(|metering| metering.organisation).collect();
    warn(tx, entropy, &Vec::from_iter(payers), now).await?;
    let more = i64::try_from(due.len()).is_ok_and(|read| read >= limits::METERS_TOGETHER);
    Ok(Read { meters: read.len(), ended: ended.len(), more })
}

fn end(metering: &Metering) -> Option<End> {
    let reason = match metering.charge.stop? {
        Stop::Balance => EndReason::Balance,
        Stop::Budget => EndReason::Budget,
        Stop::MaxSpend => EndReason::MaxSpend,
        Stop::MaxDuration => EndReason::MaxDuration,
    };
    Some(End::because(metering.rental, reason))
}

/// Tells each owner once when its money begins to last less than a day, an hour, ten minutes. More money takes the
/// warning back without a word.
async fn warn(
    tx: &mut Tx,
    entropy: &dyn Entropy,
    payers: &[OrganisationId],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let wallets = wallet::running(tx, payers).await?;
    let now_due = |wallet: &RunningWallet| {
        let runway = Runway { money: wallet.money, burn_per_hour: wallet.burn_per_hour };
        (runway.warning(), runway.seconds())
    };
    let changed: Vec<_> = wallets
        .iter()
        .map(|wallet| (wallet, now_due(wallet)))
        .filter(|(wallet, (warning, _))| wallet.warned != *warning)
        .collect();
    let warnings: Vec<_> = changed.iter().map(|(wallet, (warning, _))| (wallet.organisation, *warning)).collect();
    wallet::note_warnings(tx, &warnings).await?;
    let worse = changed.iter().filter(|(wallet, (warning, _))| *warning > wallet.warned);
    let low = worse.map(|(wallet, (warning, seconds))| NewEvent {
        id: entropy.id(now),
        organisation: Some(wallet.organisation),
        provider: None,
        pool: None,
        kind: "wallet.low",
        subject: wallet.organisation.to_string(),
        body: json!({
            "warning": warning.map(Warning::as_str),
            "runway_seconds": seconds,
            "burn_per_hour": wallet.burn_per_hour.to_string(),
            "currency": wallet.currency,
        }),
    });
    events::record(tx, &low.collect::<Vec<_>>(), now).await
}
