//! `souk rentals`

use clap::Args;
use scheduler::world::Micros;

use super::connection::Connection;
use super::table::{Table, duration};
use crate::client::view::{Page, Rental};
use crate::clock::{Clock as _, SystemClock};

/// List your rentals, newest first.
#[derive(Debug, Args)]
pub struct Rentals {
    /// Those that ended, too
    #[arg(long)]
    all: bool,

    /// Rentals to look at
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,

    #[command(flatten)]
    connection: Connection,
}

impl Rentals {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let caller = self.connection.caller().await?;
        let page: Page<Rental> = caller.get(&format!("/v1/rentals?limit={}", self.limit)).await?;
        let shown: Vec<&Rental> = page.items.iter().filter(|rental| self.all || rental.state != "ended").collect();
        let mut table =
            Table::new(&["RENTAL", "STATE", "KIND", "DEVICES", "NODE", ">PER HOUR", ">CHARGED", ">USED FOR"]);
        for rental in &shown {
            let state = rental.reason.as_ref().map_or_else(|| rental.state.clone(), |why| format!("ended: {why}"));
            table.row([
                rental.id.clone(),
                state,
                rental.kind.clone(),
                format!("{} x {}", rental.gang, rental.class_id),
                rental.node_name.clone().unwrap_or_default(),
                rental.price_per_hour.clone(),
                rental.charged.clone(),
                used_for(rental),
            ]);
        }
        table.print(&sentence(&shown))?;
        Ok(())
    }
}

fn used_for(rental: &Rental) -> String {
    let until = rental.ended_at.unwrap_or_else(|| SystemClock.now());
    let seconds = rental.usable_at.and_then(|since| u64::try_from((until - since).whole_seconds()).ok());
    seconds.map(duration).unwrap_or_default()
}

fn sentence(shown: &[&Rental]) -> String {
    let Some(first) = shown.first() else {
        return "no rentals; `souk search` finds something to rent".to_owned();
    };
    let sum = |amount: fn(&Rental) -> &str| {
        let amounts = shown.iter().filter_map(|rental| amount(rental).parse::<Micros>().ok());
        amounts.fold(Micros::ZERO, |total, amount| total.checked_add(amount).unwrap_or(total))
    };
    let (rate, charged) = (sum(|rental| &rental.price_per_hour), sum(|rental| &rental.charged));
    format!("{} rentals: {rate} {} per hour now, {charged} charged so far", shown.len(), first.currency)
}
