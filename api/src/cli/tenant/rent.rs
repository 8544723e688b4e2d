//! `souk rent`

use std::io::Write as _;

use clap::Args;
use serde_json::json;

use super::connection::Connection;
use super::query::encoded;
use super::table::duration;
use super::{confirm, key};
use crate::client::Client;
use crate::client::view::{Offer, Page, Quote, Rental};

/// Rent devices at their posted price, until you stop.
#[derive(Debug, Args)]
pub struct Rent {
    /// An ask from `souk search`, or what you want, for the cheapest: `H100:2`
    what: String,

    /// How many devices of an ask
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    devices: Option<u32>,

    /// What to run; a shell to log in to unless given
    #[arg(long)]
    command: Option<String>,

    /// End it after this many seconds
    #[arg(long, value_name = "SECONDS")]
    max_duration: Option<u64>,

    /// End it when it has cost this much
    #[arg(long, value_name = "AMOUNT")]
    max_spend: Option<String>,

    /// Only show what it would cost
    #[arg(long)]
    preview: bool,

    /// Do not ask
    #[arg(long, short)]
    yes: bool,

    #[command(flatten)]
    connection: Connection,
}

impl Rent {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let caller = self.connection.caller().await?;
        let (ask, devices) = self.choose(&caller).await?;
        let quote: Quote = caller.post("/v1/quotes", &json!({"ask_id": ask, "devices": devices})).await?;
        print(&quote)?;
        if self.preview || !confirm::asked(self.yes, "rent")? {
            return Ok(());
        }
        let mut body = json!({"ask_id": ask, "devices": devices, "quote_id": quote.id});
        if let Some(command) = &self.command {
            body["command"] = json!(command);
        }
        if let Some(seconds) = self.max_duration {
            body["max_duration_seconds"] = json!(seconds);
        }
        if let Some(amount) = &self.max_spend {
            body["max_spend"] = json!(amount);
        }
        let rental: Rental = caller.post_once("/v1/rentals", &key::fresh(), &body).await?;
        let (id, state) = (&rental.id, &rental.state);
        writeln!(std::io::stdout(), "{id} is {state}; `souk shell {id}` logs in, `souk stop {id}` ends it")?;
        Ok(())
    }

    async fn choose(&self, caller: &Client) -> anyhow::Result<(String, u32)> {
        if self.what.starts_with("ask_") {
            return Ok((self.what.clone(), self.devices.unwrap_or(1)));
        }
        let request: scheduler::world::GpuRequest = self.what.parse()?;
        let devices = self.devices.map_or_else(|| u32::try_from(request.counts().0), Ok)?;
        let filter = encoded(&format!("devices_free gte {devices}"));
        let path = format!("/v1/offers?limit=1&gpu={}&filter={filter}", encoded(&self.what));
        let page: Page<Offer> = caller.get(&path).await?;
        let offer = page.items.into_iter().next().ok_or_else(|| {
            anyhow::anyhow!(
                "nobody has {devices} free of `{}`; `souk search` shows what there is, `souk bid` waits",
                self.what
            )
        })?;
        Ok((offer.ask_id, devices))
    }
}

fn print(quote: &Quote) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let Quote { devices, class_id, currency, price_per_gpu_hour, price_per_hour, hold, .. } = quote;
    writeln!(out, "{devices} x {class_id} at {price_per_gpu_hour} {currency} per device and hour")?;
    for part in &quote.parts {
        writeln!(out, "  {:>12}  {}", part.per_hour, part.label)?;
    }
    writeln!(out, "  {price_per_hour:>12}  {currency} per hour in total")?;
    let runway = quote.runway_seconds.map(|seconds| format!("; your money lasts {}", duration(seconds)));
    writeln!(out, "{hold} {currency} is set aside{}", runway.unwrap_or_default())
}
