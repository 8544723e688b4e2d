//! One tenant of the demo: makes its wishes known, and looks after what it has.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use time::OffsetDateTime;

use super::notebook::Notebook;
use super::person::{Account, Person};
use super::population;
use super::wish::{Order, Wish, seconds_of};
use crate::client::view::{Bid, Identified, Offer, Page, Rental, Wallet};
use crate::client::{Client, ClientError};

/// How long a bid may wait on top of the time it is for.
const PATIENCE_SECONDS: u64 = 180;
/// No bid waits for longer than this on top of that.
const WAIT_SECONDS_MAX: u64 = 900;

/// A tenant who is logged in.
#[derive(Debug)]
pub struct Tenant {
    /// The organisation's name.
    pub name: &'static str,
    person: Person,
}

impl Tenant {
    /// Logs the tenant in, or signs it up.
    pub async fn enter(anyone: &Client, notebook: &Notebook, place: usize) -> Result<Self, ClientError> {
        let population::Tenant { name, slug, .. } = population::TENANTS[place];
        Ok(Self { name, person: Person::enter(anyone, Account::of(notebook, slug, name)).await? })
    }

    /// The tenant's organisation.
    #[must_use]
    pub fn organisation(&self) -> &str {
        &self.person.organisation
    }

    /// Makes the request. `false` when there was nothing to be had.
    pub async fn order(
        &mut self,
        wish: &Wish,
        key: &str,
        pool: &str,
        profiles: &BTreeMap<String, String>,
    ) -> Result<bool, ClientError> {
        match &wish.order {
            Order::Rent { gpu, devices, terms } => self.rent(key, pool, gpu, *devices, terms).await,
            Order::Bid(body) => self.post("/v1/bids", key, body).await,
            Order::Job { body, workload } => {
                let mut body = body.clone();
                if let Some(profile) = workload.as_ref().and_then(|name| profiles.get(name)) {
                    body["profile_id"] = json!(profile);
                }
                self.post("/v1/jobs", key, &body).await
            }
        }
    }

    async fn rent(
        &mut self,
        key: &str,
        pool: &str,
        gpu: &str,
        devices: u32,
        terms: &Value,
    ) -> Result<bool, ClientError> {
        let search = format!("/v1/offers?pool={pool}&gpu={gpu}&filter=devices_free%20gte%20{devices}&limit=1");
        let found: Page<Offer> = self.person.ask(async |client| client.get(&search).await).await?;
        let Some(offer) = found.items.first() else { return Ok(false) };
        let mut body = terms.clone();
        body["ask_id"] = json!(offer.ask_id);
        self.post("/v1/rentals", key, &body).await
    }

    async fn post(&mut self, path: &str, key: &str, body: &Value) -> Result<bool, ClientError> {
        let _: Identified = self.person.ask(async |client| client.post_once(path, key, body).await).await?;
        Ok(true)
    }

    /// What the tenant has in its wallet.
    pub async fn wallet(&mut self) -> Result<Wallet, ClientError> {
        self.person.ask(async |client| client.get("/v1/wallet").await).await
    }

    /// Ends what has lasted long enough and takes back what has waited too long. Returns how many things that were.
    pub async fn tidy(&mut self, now: OffsetDateTime) -> Result<usize, ClientError> {
        let rentals: Vec<Rental> =
            self.person.ask(async |client| client.list("/v1/rentals?state=running").await).await?;
        let over: Vec<String> = rentals.iter().filter(|rental| is_over(rental, now)).filter_map(end_of).collect();
        let bids: Vec<Bid> = self.person.ask(async |client| client.list("/v1/bids?state=open").await).await?;
        let stale = bids.iter().filter(|bid| is_stale(bid, now)).map(|bid| format!("/v1/bids/{}/cancel", bid.id));
        let mut done = 0;
        for path in over.into_iter().chain(stale) {
            let key = path.replace('/', "-");
            match self.person.ask(async |client| client.act::<Identified>(&path, &key).await).await {
                Ok(_) => done += 1,
                // It ended by itself in the meantime.
                Err(ClientError::Refused(refusal)) if refusal.status == 409 => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }
}

fn is_over(rental: &Rental, now: OffsetDateTime) -> bool {
    let wanted = rental.command.as_deref().and_then(seconds_of);
    rental.usable_at.zip(wanted).is_some_and(|(since, seconds)| lasted(since, now) >= seconds)
}

/// What ends the rental. A job's ends with its work.
fn end_of(rental: &Rental) -> Option<String> {
    match rental.kind.as_str() {
        "on_demand" => Some(format!("/v1/rentals/{}/end", rental.id)),
        "bid" => Some(format!("/v1/bids/{}/cancel", rental.origin_id)),
        _ => None,
    }
}

fn is_stale(bid: &Bid, now: OffsetDateTime) -> bool {
    let wanted = bid.command.as_deref().and_then(seconds_of);
    wanted.is_some_and(|seconds| lasted(bid.created_at, now) > seconds.min(WAIT_SECONDS_MAX) + PATIENCE_SECONDS)
}

fn lasted(since: OffsetDateTime, now: OffsetDateTime) -> u64 {
    u64::try_from((now - since).whole_seconds()).unwrap_or(0)
}
