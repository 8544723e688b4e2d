//! `souk bid`

use std::io::Write as _;

use clap::Args;
use serde_json::{Value, json};

use super::connection::Connection;
use super::{confirm, key};
use crate::client::view::{Bid as Placed, DryRun};

/// Bid for devices: they are yours while the price is at or below your limit.
#[derive(Debug, Args)]
pub struct Bid {
    /// Models, memory and count: `H100,A100:80GB:2`
    gpu: String,

    /// The most that one device may cost per hour
    #[arg(long, value_name = "PRICE")]
    limit: String,

    /// What to run; a shell to log in to unless given
    #[arg(long)]
    command: Option<String>,

    /// When the bid ends by itself: 2026-01-31T12:00:00Z
    #[arg(long, value_name = "TIME")]
    until: Option<String>,

    /// Do not go back to the book after the devices were lost
    #[arg(long)]
    once: bool,

    /// Only show whether it would win
    #[arg(long)]
    preview: bool,

    /// Do not ask
    #[arg(long, short)]
    yes: bool,

    #[command(flatten)]
    connection: Connection,
}

impl Bid {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let caller = self.connection.caller().await?;
        let body = self.body();
        let outlook: DryRun = caller.post("/v1/bids/dry-run", &body).await?;
        print(&outlook)?;
        if self.preview || !confirm::asked(self.yes, "bid")? {
            return Ok(());
        }
        let bid: Placed = caller.post_once("/v1/bids", &key::fresh(), &body).await?;
        let (id, state) = (&bid.id, &bid.state);
        writeln!(std::io::stdout(), "{id} is {state}; `souk bids` shows how it fares, `souk stop {id}` takes it back")?;
        Ok(())
    }

    fn body(&self) -> Value {
        let mut body = json!({"gpu": self.gpu, "limit_per_gpu_hour": self.limit, "reenter": !self.once});
        if let Some(command) = &self.command {
            body["command"] = json!(command);
        }
        if let Some(until) = &self.until {
            body["ends_at"] = json!(until);
        }
        body
    }
}

fn print(outlook: &DryRun) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let DryRun { would_win, sentence, hold, total_per_hour_max, currency, .. } = outlook;
    writeln!(out, "{}: {sentence}", if *would_win { "it would win now" } else { "it would not win now" })?;
    if let Some(limit) = outlook.winning_limit_per_gpu_hour.as_ref().filter(|_| !would_win) {
        writeln!(out, "a limit of {limit} {currency} would")?;
    }
    writeln!(out, "at most {total_per_hour_max} {currency} per hour in total; {hold} {currency} is set aside")
}
