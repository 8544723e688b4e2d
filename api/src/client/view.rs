//! The parts of the API's views that a client reads. Money stays the decimal text that it is on the wire.

use serde::Deserialize;
use time::OffsetDateTime;
use time::serde::rfc3339;

/// One page of a list.
#[derive(Debug, Deserialize)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// Where the next page begins.
    #[serde(default)]
    pub next_cursor: Option<String>,
}

/// A log-in.
#[derive(Debug, Clone, Deserialize)]
pub struct Session {
    /// Counts for some minutes.
    pub access_token: String,
    /// Good for one refresh.
    pub refresh_token: String,
    /// How long the access token counts.
    pub expires_in_seconds: i64,
    /// The person.
    pub user: User,
    /// For whom the person acts.
    pub organisation: Organisation,
}

/// A person.
#[derive(Debug, Clone, Deserialize)]
pub struct User {
    /// How the person logs in.
    pub email: String,
    /// Whether the person operates the marketplace.
    pub operator: bool,
}

/// An organisation.
#[derive(Debug, Clone, Deserialize)]
pub struct Organisation {
    /// Identity.
    pub id: String,
    /// Name.
    pub name: String,
    /// Of its wallet.
    pub currency: String,
}

/// Anything that is known by its id alone.
#[derive(Debug, Clone, Deserialize)]
pub struct Identified {
    /// Identity.
    pub id: String,
}

/// Anything that has a name.
#[derive(Debug, Clone, Deserialize)]
pub struct Named {
    /// Identity.
    pub id: String,
    /// Name.
    pub name: String,
}

/// A pool.
#[derive(Debug, Clone, Deserialize)]
pub struct Pool {
    /// Identity.
    pub id: String,
    /// Name.
    pub name: String,
    /// Time between rounds.
    pub round_seconds: u32,
    /// How many rentals live in it.
    pub live_rentals: u64,
    /// How many bids wait or run in it.
    pub open_bids: u64,
    /// How many jobs wait or run in it.
    pub live_jobs: u64,
    /// Devices in it.
    pub devices: u64,
}

/// Something to rent.
#[derive(Debug, Clone, Deserialize)]
pub struct Offer {
    /// What to rent it by.
    pub ask_id: String,
    /// Whose it is.
    pub provider: Named,
    /// Device class.
    pub class_id: String,
    /// GPU model.
    pub model: String,
    /// Memory of a device.
    pub vram_mib: u64,
    /// Set for a slice.
    pub mig_profile: Option<String>,
    /// Where it stands.
    pub region: String,
    /// Of the prices.
    pub currency: String,
    /// On-demand.
    pub price_per_gpu_hour: String,
    /// The least an interruptible bid pays.
    pub floor_per_gpu_hour: String,
    /// The last round's price of the class.
    pub market_price_per_gpu_hour: Option<String>,
    /// Devices nobody has.
    pub devices_free: u32,
    /// Devices on the node.
    pub devices_total: u32,
}

/// A rental.
#[derive(Debug, Clone, Deserialize)]
pub struct Rental {
    /// Identity.
    pub id: String,
    /// `on_demand`, `bid` or `job`.
    pub kind: String,
    /// The ask, bid or job it came from.
    pub origin_id: String,
    /// The node, once there is one.
    pub node_name: Option<String>,
    /// Device class.
    pub class_id: String,
    /// How many devices.
    pub gang: u32,
    /// Where it stands.
    pub state: String,
    /// Why it ended.
    pub reason: Option<String>,
    /// What it costs an hour now, all devices.
    pub price_per_hour: String,
    /// Of the prices.
    pub currency: String,
    /// Paid so far.
    pub charged: String,
    /// What runs.
    pub command: Option<String>,
    /// When it was asked for.
    #[serde(with = "rfc3339")]
    pub created_at: OffsetDateTime,
    /// Since when it can be used and is paid for.
    #[serde(with = "rfc3339::option", default)]
    pub usable_at: Option<OffsetDateTime>,
    /// When it ended.
    #[serde(with = "rfc3339::option", default)]
    pub ended_at: Option<OffsetDateTime>,
}

/// A bid.
#[derive(Debug, Clone, Deserialize)]
pub struct Bid {
    /// Identity.
    pub id: String,
    /// As asked for.
    pub gpu: String,
    /// How many devices.
    pub gang: u32,
    /// The most it pays per device and hour.
    pub limit_per_gpu_hour: String,
    /// Of the limit.
    pub currency: String,
    /// Where it stands.
    pub state: String,
    /// What is set aside for it.
    pub hold: String,
    /// What runs.
    pub command: Option<String>,
    /// What the last round said.
    pub explanation: Option<Explanation>,
    /// When it was placed.
    #[serde(with = "rfc3339")]
    pub created_at: OffsetDateTime,
}

/// Why a demand got what it got.
#[derive(Debug, Clone, Deserialize)]
pub struct Explanation {
    /// In words.
    pub sentence: String,
}

/// What a bid would get.
#[derive(Debug, Clone, Deserialize)]
pub struct DryRun {
    /// Now.
    pub would_win: bool,
    /// The least limit that would.
    pub winning_limit_per_gpu_hour: Option<String>,
    /// In words.
    pub sentence: String,
    /// What would be set aside.
    pub hold: String,
    /// All devices.
    pub total_per_hour_max: String,
    /// Of every amount.
    pub currency: String,
}

/// What a rental would cost.
#[derive(Debug, Clone, Deserialize)]
pub struct Quote {
    /// Identity.
    pub id: String,
    /// How many devices.
    pub devices: u32,
    /// Of which class.
    pub class_id: String,
    /// Of every amount.
    pub currency: String,
    /// One device.
    pub price_per_gpu_hour: String,
    /// All devices.
    pub price_per_hour: String,
    /// Who gets what of it.
    pub parts: Vec<QuotePart>,
    /// What would be set aside.
    pub hold: String,
    /// How long the wallet would last.
    pub runway_seconds: Option<u64>,
}

/// A part of a price.
#[derive(Debug, Clone, Deserialize)]
pub struct QuotePart {
    /// What it is for.
    pub label: String,
    /// How much.
    pub per_hour: String,
}

/// What a workload printed.
#[derive(Debug, Clone, Deserialize)]
pub struct Logs {
    /// The end of it.
    pub text: String,
    /// Whether there was more.
    pub truncated: bool,
}

/// A shell that waits to be entered.
#[derive(Debug, Clone, Deserialize)]
pub struct Shell {
    /// Where, with the one-use ticket.
    pub url: String,
}

/// A line of the ledger.
#[derive(Debug, Clone, Deserialize)]
pub struct Entry {
    /// When.
    pub created_at: String,
    /// What for.
    pub kind: String,
    /// Which of the wallet's accounts.
    pub account: String,
    /// Signed.
    pub amount: String,
    /// About what.
    pub subject: String,
    /// Why.
    pub reason: String,
}

/// A wallet.
#[derive(Debug, Clone, Deserialize)]
pub struct Wallet {
    /// Of every amount.
    pub currency: String,
    /// Can be spent.
    pub available: String,
    /// Set aside.
    pub held: String,
    /// What runs costs an hour.
    pub burn_per_hour: String,
    /// How long the wallet lasts at that.
    pub runway_seconds: Option<u64>,
    /// Set when that is short.
    pub warning: Option<String>,
}
