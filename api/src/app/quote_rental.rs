//! What an on-demand rental would cost, before anything is paid: every part of the price, the hold, and how long the
//! wallet would last. The price is kept until the quote expires; devices are not.

use scheduler::world::ids::AskId;
use scheduler::world::money::{Micros, MoneyError};
use scheduler::world::time::Millis;

use super::Ctx;
use crate::config::limits;
use crate::ledger::hold;
use crate::ledger::runway::Runway;
use crate::store::quotes::{self, Quote};
use crate::store::wallet::{self, Wallet};
use crate::store::{StoreError, Tx, offers, pools};

/// Why no price was quoted.
#[derive(Debug, thiserror::Error)]
pub enum QuoteError {
    /// Nobody offers that now.
    #[error("there is no such offer now; search again")]
    NoSuchOffer,
    /// The offer cannot take so many.
    #[error("this offer takes {least} to {most} devices")]
    Devices {
        /// The smallest gang that is let in.
        least: i32,
        /// The devices on the node.
        most: i32,
    },
    /// The price is beyond what can be reckoned with.
    #[error("the price of so many devices is too large")]
    TooLarge(#[from] MoneyError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A quote and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedRental {
    /// The quote.
    pub quote: Quote,
    /// All devices, per hour.
    pub total_per_hour: Micros,
    /// The marketplace's part of the total.
    pub fee_per_hour: Micros,
    /// The provider's part of the total.
    pub provider_per_hour: Micros,
    /// What must be available when it is rented.
    pub hold: Micros,
}

impl QuotedRental {
    /// Reckons what follows from a quote.
    pub fn new(quote: Quote) -> Result<Self, MoneyError> {
        let total_per_hour = quote.price.cost(quote.devices, Millis::new(HOUR))?;
        let fee_per_hour = total_per_hour.basis_points(quote.fee_bps).ok_or(MoneyError::TooLarge)?;
        let provider_per_hour = total_per_hour.checked_sub(fee_per_hour).ok_or(MoneyError::TooLarge)?;
        let hold = hold::required(quote.price, quote.devices, Millis::ZERO)?;
        Ok(Self { quote, total_per_hour, fee_per_hour, provider_per_hour, hold })
    }

    /// How long the wallet would last if this were rented on top of what runs.
    #[must_use]
    pub fn runway_seconds(&self, wallet: &Wallet) -> Option<i64> {
        let money = wallet.available.checked_add(wallet.held_for_running)?;
        let burn_per_hour = wallet.wallet_burn_per_hour.checked_add(self.total_per_hour)?;
        Runway { money, burn_per_hour }.seconds()
    }
}

/// Milliseconds in an hour.
const HOUR: i64 = 3_600_000;

/// Quotes the posted price of `devices` devices, and keeps it for five minutes.
pub async fn quote_rental(ctx: &mut Ctx<'_>, ask: AskId, devices: i32) -> Result<QuotedRental, QuoteError> {
    let offer = offers::all(&mut ctx.tx, None, Some(ask), ctx.now).await?.pop().ok_or(QuoteError::NoSuchOffer)?;
    if !(offer.min_chunk..=offer.devices_total).contains(&devices) {
        return Err(QuoteError::Devices { least: offer.min_chunk, most: offer.devices_total });
    }
    let pool = pools::find(&mut ctx.tx, offer.pool)
        .await?
        .ok_or_else(|| StoreError::corrupt("ask", format!("{ask} is in no pool")))?;
    let quoted = QuotedRental::new(Quote {
        id: ctx.id(),
        organisation: ctx.caller.organisation,
        pool: pool.id,
        ask,
        class: offer.class.id,
        devices,
        currency: offer.currency,
        price: offer.price,
        fee_bps: pool.settings.fee_bps,
        created_at: ctx.now,
        expires_at: ctx.now + limits::QUOTE,
    })?;
    quotes::insert(&mut ctx.tx, &quoted.quote).await?;
    Ok(quoted)
}

/// The caller's wallet, where it may be seen.
pub async fn wallet_of(tx: &mut Tx, quote: &Quote, may_see: bool) -> Result<Option<Wallet>, StoreError> {
    if !may_see {
        return Ok(None);
    }
    let wallet = wallet::find(tx, quote.organisation).await?;
    Ok(Some(wallet).filter(|wallet| wallet.currency == quote.currency))
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::OffsetDateTime;
    use uuid::Uuid;

    fn quoted(price: &str, devices: i32, fee_bps: i32) -> QuotedRental {
        let now = OffsetDateTime::UNIX_EPOCH;
        QuotedRental::new(Quote {
            id: Uuid::nil().into(),
            organisation: Uuid::nil().into(),
            pool: Uuid::nil().into(),
            ask: Uuid::nil().into(),
            class: "h100-80gb".parse().unwrap(),
            devices,
            currency: "USD".into(),
            price: price.parse().unwrap(),
            fee_bps,
            created_at: now,
            expires_at: now + limits::QUOTE,
        })
        .unwrap()
    }

    #[test]
    fn the_parts_add_up_to_the_total_to_the_last_micro() {
        for (price, devices, fee_bps) in [("2.50", 8, 500), ("0.000001", 1, 500), ("1.005", 3, 333), ("64.10", 7, 0)] {
            let quoted = quoted(price, devices, fee_bps);
            let sum = quoted.provider_per_hour.checked_add(quoted.fee_per_hour).unwrap();
            assert_eq!(sum, quoted.total_per_hour, "{price}");
            assert_eq!(quoted.total_per_hour.get(), quoted.quote.price.micros() * i64::from(devices));
        }
    }

    #[test]
    fn the_runway_counts_what_runs_already() {
        let quoted = quoted("2.00", 1, 500);
        let wallet = Wallet {
            currency: "USD".into(),
            available: Micros::new(9_000_000),
            held: Micros::new(3_000_000),
            burn_per_hour: Micros::new(5_000_000),
            wallet_burn_per_hour: Micros::new(4_000_000),
            held_for_running: Micros::new(3_000_000),
        };
        assert_eq!(quoted.runway_seconds(&wallet), Some(2 * 3600));
    }
}
