//! `souk wallet`

use std::io::Write as _;

use clap::Args;

use super::connection::Connection;
use super::table::{Table, duration};
use crate::client::view::{Entry, Page, Wallet as Money};

/// Show your money: what is there, what is set aside, and how long it lasts.
#[derive(Debug, Args)]
pub struct Wallet {
    /// The latest entries of the ledger, too
    #[arg(long, value_name = "COUNT", num_args = 0..=1, default_missing_value = "20")]
    entries: Option<u16>,

    #[command(flatten)]
    connection: Connection,
}

impl Wallet {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let caller = self.connection.caller().await?;
        let money: Money = caller.get("/v1/wallet").await?;
        let lasts = money.runway_seconds.map_or_else(|| "nothing runs".to_owned(), duration);
        let Money { currency, available, held, burn_per_hour, warning, .. } = &money;
        let mut out = std::io::stdout();
        writeln!(out, "available  {available:>14} {currency}")?;
        writeln!(out, "set aside  {held:>14} {currency}")?;
        writeln!(out, "spending   {burn_per_hour:>14} {currency} per hour")?;
        writeln!(out, "lasts      {lasts:>14}")?;
        if let Some(warning) = warning {
            writeln!(out, "the money lasts for less than {warning}: top up, or stop something")?;
        }
        let Some(count) = self.entries else { return Ok(()) };
        let page: Page<Entry> = caller.get(&format!("/v1/wallet/entries?limit={count}")).await?;
        let mut table = Table::new(&["AT", "KIND", "ACCOUNT", ">AMOUNT", "FOR", "REASON"]);
        for entry in &page.items {
            let Entry { created_at, kind, account, amount, subject, reason } = entry;
            table.row([created_at, kind, account, amount, subject, reason].map(Clone::clone));
        }
        table.print(&format!("{} entries, amounts in {currency}", page.items.len()))?;
        Ok(())
    }
}
