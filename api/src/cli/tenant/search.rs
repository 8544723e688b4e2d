//! `souk search`

use clap::Args;

use super::connection::Connection;
use super::query::encoded;
use super::table::Table;
use crate::client::view::{Offer, Page};

/// Find devices to rent, cheapest first.
#[derive(Debug, Args)]
pub struct Search {
    /// Models, memory and count: `H100,A100:80GB:1..8`, `nvidia:24GB..:2`, `A100:1g.10gb`; everything unless given
    gpu: Option<String>,

    /// At most this per device and hour
    #[arg(long, value_name = "PRICE")]
    max_price: Option<String>,

    /// A further condition: `reliability gte 0.99`, `region eq eu-north`, `nvlink eq true`; can be repeated
    #[arg(long, value_name = "FIELD OP VALUE")]
    filter: Vec<String>,

    /// Another order: a field, with `-` before it for the largest first
    #[arg(long, value_name = "FIELD", allow_hyphen_values = true)]
    order: Option<String>,

    /// Also what has no free device at this moment
    #[arg(long)]
    all: bool,

    /// Lines to show
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,

    #[command(flatten)]
    connection: Connection,
}

impl Search {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let server = self.connection.anyone()?;
        let page: Page<Offer> = server.get(&self.path()).await?;
        let mut table =
            Table::new(&["ASK", "MODEL", ">MEMORY", ">FREE", ">PRICE", ">MARKET", ">FLOOR", "REGION", "PROVIDER"]);
        for offer in &page.items {
            let market = offer.market_price_per_gpu_hour.clone().unwrap_or_else(|| "-".to_owned());
            table.row([
                offer.ask_id.clone(),
                offer.model.clone() + &offer.mig_profile.as_ref().map(|mig| format!(" {mig}")).unwrap_or_default(),
                format!("{} GiB", offer.vram_mib / 1024),
                format!("{}/{}", offer.devices_free, offer.devices_total),
                offer.price_per_gpu_hour.clone(),
                market,
                offer.floor_per_gpu_hour.clone(),
                offer.region.clone(),
                offer.provider.name.clone(),
            ]);
        }
        table.print(&sentence(&page))?;
        Ok(())
    }

    fn path(&self) -> String {
        let mut path = format!("/v1/offers?limit={}", self.limit);
        let price = self.max_price.as_ref().map(|price| format!("price_per_gpu_hour lte {price}"));
        let free = (!self.all).then(|| "devices_free gte 1".to_owned());
        let filters = self.filter.iter().chain(&price).chain(&free).map(|filter| ("filter", filter));
        let others = self.gpu.iter().map(|gpu| ("gpu", gpu)).chain(self.order.iter().map(|order| ("order", order)));
        for (name, value) in others.chain(filters) {
            path += &format!("&{name}={}", encoded(value));
        }
        path
    }
}

fn sentence(page: &Page<Offer>) -> String {
    let Some(first) = page.items.first() else {
        return "nothing free is like that; ask for less, see what is taken with --all, or bid with `souk bid`"
            .to_owned();
    };
    let more = if page.next_cursor.is_some() { " (there are more: --limit)" } else { "" };
    format!(
        "{} offers{more}, prices in {} per device and hour; `souk rent {} --devices 1` rents",
        page.items.len(),
        first.currency,
        first.ask_id
    )
}
