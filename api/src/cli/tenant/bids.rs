//! `souk bids`

use clap::Args;

use super::connection::Connection;
use super::table::Table;
use crate::client::view::{Bid, Page};

/// List your bids, newest first.
#[derive(Debug, Args)]
pub struct Bids {
    /// Only those in this state: open, allocated, notice, paused, cancelled, expired, exhausted
    #[arg(long)]
    state: Option<String>,

    /// Lines to show
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,

    #[command(flatten)]
    connection: Connection,
}

impl Bids {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let caller = self.connection.caller().await?;
        let state = self.state.map(|state| format!("&state={state}")).unwrap_or_default();
        let page: Page<Bid> = caller.get(&format!("/v1/bids?limit={}{state}", self.limit)).await?;
        let mut table = Table::new(&["BID", "STATE", "GPU", ">LIMIT", ">HELD", "WHY"]);
        for bid in &page.items {
            let why = bid.explanation.as_ref().map_or_else(String::new, |explanation| explanation.sentence.clone());
            table.row([
                bid.id.clone(),
                bid.state.clone(),
                bid.gpu.clone(),
                format!("{} {}", bid.limit_per_gpu_hour, bid.currency),
                bid.hold.clone(),
                why,
            ]);
        }
        let sentence = match page.items.len() {
            0 => "no bids; `souk bid H100:1 --limit 2.50` places one".to_owned(),
            count => format!("{count} bids, limits per device and hour"),
        };
        table.print(&sentence)?;
        Ok(())
    }
}
