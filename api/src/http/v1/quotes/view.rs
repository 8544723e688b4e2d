//! How a quote looks on the wire.

use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::quote_rental::QuotedRental;
use crate::http::wire;
use crate::store::wallet::Wallet;

/// What an on-demand rental would cost. The price is kept until the quote expires; the devices are not set aside.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Quote)]
pub struct QuoteView {
    /// Identity; name it when renting.
    #[schema(example = "quo_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub id: String,
    /// For which ask.
    #[schema(example = "ask_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pub ask_id: String,
    /// For how many devices.
    #[schema(example = 8)]
    pub devices: i32,
    /// Of which class.
    #[schema(example = "h100-80gb")]
    pub class_id: String,
    /// Of all amounts.
    #[schema(example = "USD")]
    pub currency: String,
    /// One device.
    #[schema(example = "2.50")]
    pub price_per_gpu_hour: String,
    /// All devices: everything that is charged. Nothing is added to it.
    #[schema(example = "20.00")]
    pub price_per_hour: String,
    /// Who gets what of it. The parts add up to `price_per_hour`; the marketplace's fee is inside it.
    pub parts: Vec<QuotePartView>,
    /// What must be available when it is rented: it is set aside, not spent.
    #[schema(example = "20.00")]
    pub hold: String,
    /// How long the wallet would last if this were rented on top of what runs; null for those who may not see it.
    #[schema(example = 86_400)]
    pub runway_seconds: Option<i64>,
    /// When it was made.
    #[serde(with = "wire::timestamp")]
    pub created_at: OffsetDateTime,
    /// Until when the price is kept.
    #[serde(with = "wire::timestamp")]
    pub expires_at: OffsetDateTime,
}

/// A part of the price.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QuotePart)]
pub struct QuotePartView {
    /// What it is for.
    #[schema(example = "8 x h100-80gb, to the provider")]
    pub label: String,
    /// How much of the total.
    #[schema(example = "19.00")]
    pub per_hour: String,
}

impl QuoteView {
    /// The view, with the runway if the wallet may be seen.
    #[must_use]
    pub fn new(quoted: QuotedRental, wallet: Option<&Wallet>) -> Self {
        let runway_seconds = wallet.and_then(|wallet| quoted.runway_seconds(wallet));
        let QuotedRental { quote, total_per_hour, fee_per_hour, provider_per_hour, hold } = quoted;
        let percent = format!("{}.{:02}", quote.fee_bps / 100, quote.fee_bps % 100);
        let parts = vec![
            QuotePartView {
                label: format!("{} x {}, to the provider", quote.devices, quote.class),
                per_hour: provider_per_hour.to_string(),
            },
            QuotePartView {
                label: format!("marketplace fee, {percent} % of the price, included"),
                per_hour: fee_per_hour.to_string(),
            },
        ];
        Self {
            id: quote.id.to_string(),
            ask_id: quote.ask.to_string(),
            devices: quote.devices,
            class_id: quote.class.to_string(),
            currency: quote.currency,
            price_per_gpu_hour: quote.price.to_string(),
            price_per_hour: total_per_hour.to_string(),
            parts,
            hold: hold.to_string(),
            runway_seconds,
            created_at: quote.created_at,
            expires_at: quote.expires_at,
        }
    }
}
