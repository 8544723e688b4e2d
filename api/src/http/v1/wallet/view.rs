//! How the wallet, its entries and its holds look on the wire.

use scheduler::world::ids::{HoldId, TransferId};
use scheduler::world::money::Micros;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::http::wire;
use crate::ledger::runway::{Runway, Warning};
use crate::store::wallet::{ActiveHold, Wallet, WalletEntry};

/// Balances, and how long they last.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Wallet)]
pub struct WalletView {
    /// The currency of all amounts.
    #[schema(example = "USD")]
    pub currency: String,
    /// What can be spent.
    #[schema(example = "87.50")]
    pub available: String,
    /// What is set aside for bids, jobs and rentals.
    #[schema(example = "12.50")]
    pub held: String,
    /// What everything that runs costs per hour.
    #[schema(example = "2.50")]
    pub burn_per_hour: String,
    /// Until the money for what runs is used up; null while nothing runs on it. Jobs do not count: their budgets are
    /// held as a whole.
    #[schema(example = 126_000)]
    pub runway_seconds: Option<i64>,
    /// `24h`, `1h` or `10min` when the runway is shorter than that.
    #[schema(example = "24h")]
    pub warning: Option<&'static str>,
}

impl From<Wallet> for WalletView {
    fn from(wallet: Wallet) -> Self {
        let money = wallet.available.checked_add(wallet.held_for_running).unwrap_or(wallet.available);
        let runway = Runway { money, burn_per_hour: wallet.wallet_burn_per_hour };
        Self {
            currency: wallet.currency,
            available: wallet.available.to_string(),
            held: wallet.held.to_string(),
            burn_per_hour: wallet.burn_per_hour.to_string(),
            runway_seconds: runway.seconds(),
            warning: runway.warning().map(Warning::as_str),
        }
    }
}

/// One change of one balance.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Entry)]
pub struct EntryView {
    /// The transfer that it is a part of.
    #[schema(example = "trf_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub transfer_id: String,
    /// Why it moved: `credit`, `hold`, `release`, `usage`, `refund`, `correction`.
    #[schema(example = "hold")]
    pub kind: String,
    /// The balance: `available` or `held`.
    #[schema(example = "available")]
    pub account: &'static str,
    /// What was added; negative when it left.
    #[schema(example = "-2.50")]
    pub amount: String,
    /// The currency.
    #[schema(example = "USD")]
    pub currency: String,
    /// What it is for.
    #[schema(example = "bid_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub subject: String,
    /// The reason, in words.
    #[schema(example = "bid placed")]
    pub reason: String,
    /// When it moved.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
}

impl From<WalletEntry> for EntryView {
    fn from(entry: WalletEntry) -> Self {
        Self {
            transfer_id: TransferId::from(entry.transfer_id).to_string(),
            kind: entry.kind,
            account: if entry.account == "tenant_held" { "held" } else { "available" },
            amount: Micros::new(entry.amount_micros).to_string(),
            currency: entry.currency,
            subject: entry.subject,
            reason: entry.reason,
            created_at: entry.created_at,
        }
    }
}

/// Money set aside.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Hold)]
pub struct HoldView {
    /// Identity.
    #[schema(example = "hld_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// The bid, job or on-demand rental that it is for.
    #[schema(example = "bid_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub subject: String,
    /// The part neither spent nor released.
    #[schema(example = "2.50")]
    pub remaining: String,
    /// The currency.
    #[schema(example = "USD")]
    pub currency: String,
    /// When it was set aside.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
}

impl From<ActiveHold> for HoldView {
    fn from(hold: ActiveHold) -> Self {
        Self {
            id: HoldId::from(hold.id).to_string(),
            subject: hold.subject,
            remaining: Micros::new(hold.remaining_micros).to_string(),
            currency: hold.currency,
            created_at: hold.created_at,
        }
    }
}
