//! `souk stop`

use std::io::Write as _;

use clap::Args;
use serde_json::Value;

use super::connection::Connection;
use super::key;
use crate::client::view::Rental;

/// End a rental, or take back a bid or a job.
#[derive(Debug, Args)]
pub struct Stop {
    /// A rental, a bid or a job
    id: String,

    /// Only stop a rental's devices; what it stored is kept, at a lower price, until it is started or ended
    #[arg(long)]
    keep: bool,

    #[command(flatten)]
    connection: Connection,
}

impl Stop {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let caller = self.connection.caller().await?;
        let id = &self.id;
        let mut out = std::io::stdout();
        let path = match id.split_once('_').map(|(kind, _)| kind) {
            Some("bid") => format!("/v1/bids/{id}/cancel"),
            Some("job") => format!("/v1/jobs/{id}/cancel"),
            Some("rnt") => {
                let action = if self.keep { "stop" } else { "end" };
                let rental: Rental = caller.act(&format!("/v1/rentals/{id}/{action}"), &key::fresh()).await?;
                let (state, charged, currency) = (&rental.state, &rental.charged, &rental.currency);
                writeln!(out, "{id} is {state}; {charged} {currency} charged in all")?;
                return Ok(());
            }
            _ => anyhow::bail!("`{id}` is no id of a rental (rnt_…), a bid (bid_…) or a job (job_…)"),
        };
        let view: Value = caller.act(&path, &key::fresh()).await?;
        writeln!(out, "{id} is {}", view["state"].as_str().unwrap_or("taken back"))?;
        Ok(())
    }
}
