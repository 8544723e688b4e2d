//! Plays the demo: wishes in the order of their arrival, and between them a look after what lives.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use super::arrival::Arrival;
use super::notebook::Notebook;
use super::pace::Pace;
use super::person::Person;
use super::population::TENANTS;
use super::tenant::Tenant;
use super::treasury;
use super::wish::{Wish, Wishes};
use crate::client::view::{Named, Pool};
use crate::client::{Client, ClientError};
use crate::clock::Clock;

/// One tenant after the other looks after what it has.
const LOOK_AFTER_EVERY: Duration = Duration::from_millis(600);
/// An empty market is filled faster: this far apart come the first wishes.
const OPENING_GAP: Duration = Duration::from_millis(100);
/// A market with fewer live rentals is empty.
const OPENING_RENTALS: u64 = 350;
/// Wait before what failed for a passing reason is tried again.
const BACK_OFF: Duration = Duration::from_secs(1);
/// Wishes between two notes of the position.
const NOTE_EVERY: u64 = 10;
/// The state of the market is told when all tenants have been looked after so many times: about once a minute.
const TELL_CYCLES: u64 = 4;
/// When all wishes have been made, somebody still looks after what lives.
const AFTERWARDS: Duration = Duration::from_secs(3600);

/// What came of the wishes so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests that were accepted.
    pub made: u64,
    /// Wishes for which nothing was free or offered.
    pub nothing: u64,
    /// Requests that were refused.
    pub refused: u64,
    /// Rentals ended and bids taken back.
    pub ended: u64,
}

/// The demo, on stage.
pub struct Player<'a> {
    anyone: Client,
    operator: Person,
    pool: String,
    profiles: BTreeMap<String, String>,
    tenants: Vec<Option<Tenant>>,
    wishes: Wishes<'a>,
    notebook: Notebook,
    stream: String,
    clock: Arc<dyn Clock>,
    tally: Tally,
    next_tenant: usize,
    cycles: u64,
    look_after_at: OffsetDateTime,
}

/// What a player needs.
pub struct Cast<'a> {
    /// Speaks for nobody.
    pub anyone: Client,
    /// Gives money.
    pub operator: Person,
    /// Where to trade.
    pub pool: String,
    /// Makes wishes out of arrivals.
    pub wishes: Wishes<'a>,
    /// What is remembered.
    pub notebook: Notebook,
    /// The name of this stream of wishes: part of every key.
    pub stream: String,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

impl<'a> Player<'a> {
    /// Learns the profiles' ids. Tenants log in when they have their first wish.
    pub async fn enter(cast: Cast<'a>) -> Result<Self, ClientError> {
        let Cast { anyone, operator, pool, wishes, notebook, stream, clock } = cast;
        let profiles: Vec<Named> = anyone.list("/v1/profiles").await?;
        let profiles = profiles.into_iter().map(|profile| (profile.name, profile.id)).collect();
        let tenants = TENANTS.iter().map(|_| None).collect();
        let (tally, next_tenant, look_after_at) = (Tally::default(), 0, clock.now());
        Ok(Self {
            anyone,
            operator,
            pool,
            profiles,
            tenants,
            wishes,
            notebook,
            stream,
            clock,
            tally,
            next_tenant,
            cycles: 0,
            look_after_at,
        })
    }

    /// What came of it so far.
    #[must_use]
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// Plays all arrivals from where this stream was left, then looks after what lives, until it is told to stop.
    pub async fn play(
        &mut self,
        arrivals: impl Iterator<Item = Arrival>,
        pace: Pace,
        stop: &CancellationToken,
    ) -> Result<(), ClientError> {
        let begun = self.notebook.position(&self.stream);
        let mut opening = self.pool().await?.live_rentals < OPENING_RENTALS;
        let mut last_at = None;
        for (ordinal, arrival) in (0_u64..).zip(arrivals) {
            if ordinal < begun {
                last_at = Some(arrival.at_millis);
                continue;
            }
            let millis = arrival.at_millis.saturating_sub(last_at.unwrap_or(arrival.at_millis));
            last_at = Some(arrival.at_millis);
            let gap = if opening { pace.gap(millis).min(OPENING_GAP) } else { pace.gap(millis) };
            if self.wait(gap, stop).await {
                return Ok(());
            }
            if ordinal.is_multiple_of(NOTE_EVERY) {
                self.note(ordinal);
                opening = opening && self.pool().await.is_ok_and(|pool| pool.live_rentals < OPENING_RENTALS);
            }
            if let Some(wish) = self.wishes.wish(ordinal, &arrival) {
                self.fulfil(&wish, stop).await;
            } else {
                self.tally.nothing += 1;
            }
        }
        self.note(u64::MAX);
        while !self.wait(AFTERWARDS, stop).await {}
        Ok(())
    }

    fn note(&self, position: u64) {
        if let Err(error) = self.notebook.note(&self.stream, position) {
            tracing::warn!(%error, "the demo could not note how far it got");
        }
    }

    /// Waits while looking after the tenants' affairs. True when it is time to stop.
    async fn wait(&mut self, gap: Duration, stop: &CancellationToken) -> bool {
        let until = self.clock.now() + gap;
        loop {
            let now = self.clock.now();
            if self.look_after_at <= now {
                self.look_after_at = now + LOOK_AFTER_EVERY;
                self.look_after_next().await;
            }
            let now = self.clock.now();
            let left = Duration::try_from(until.min(self.look_after_at) - now).unwrap_or_default();
            if pause(left, stop).await {
                return true;
            }
            if until <= now + left {
                return false;
            }
        }
    }

    /// Makes one request; what fails for a passing reason is tried again until it is time to stop.
    pub async fn fulfil(&mut self, wish: &Wish, stop: &CancellationToken) {
        let key = format!("demo-{}-{}", self.stream, wish.ordinal);
        loop {
            match self.attempt(wish, &key).await {
                Ok(true) => self.tally.made += 1,
                Ok(false) => self.tally.nothing += 1,
                Err(error) if error.is_passing() => {
                    tracing::debug!(%error, key, "a wish will be made again");
                    if pause(BACK_OFF, stop).await {
                        return;
                    }
                    continue;
                }
                Err(error) => {
                    tracing::info!(%error, key, "a wish was refused");
                    self.tally.refused += 1;
                }
            }
            return;
        }
    }

    async fn attempt(&mut self, wish: &Wish, key: &str) -> Result<bool, ClientError> {
        self.tenant(wish.tenant).await?;
        let Self { tenants, pool, profiles, .. } = self;
        let Some(tenant) = &mut tenants[wish.tenant] else { return Ok(false) };
        match tenant.order(wish, key, pool, profiles).await {
            Err(error) if error.code() == "insufficient_funds" => {
                treasury::give(&mut self.operator, tenant.organisation(), tenant.name, &*self.clock).await?;
                tenant.order(wish, key, pool, profiles).await
            }
            result => result,
        }
    }

    /// Logs the tenant in if it is not, and sees that it has money.
    async fn tenant(&mut self, place: usize) -> Result<(), ClientError> {
        if self.tenants[place].is_none() {
            let mut tenant = Tenant::enter(&self.anyone, &self.notebook, place).await?;
            if treasury::is_low(&tenant.wallet().await?) {
                treasury::give(&mut self.operator, tenant.organisation(), tenant.name, &*self.clock).await?;
            }
            self.tenants[place] = Some(tenant);
        }
        Ok(())
    }

    /// The next tenant ends what is over and is given money if it runs low.
    pub async fn look_after_next(&mut self) {
        let place = self.next_tenant;
        self.next_tenant = (place + 1) % TENANTS.len();
        if place == 0 {
            self.cycles += 1;
            if self.cycles % TELL_CYCLES == 1 {
                self.tell().await;
            }
        }
        if let Err(error) = self.look_after(place).await {
            tracing::debug!(%error, tenant = TENANTS[place].slug, "a tenant could not look after its affairs");
        }
    }

    async fn look_after(&mut self, place: usize) -> Result<(), ClientError> {
        self.tenant(place).await?;
        let Some(tenant) = &mut self.tenants[place] else { return Ok(()) };
        let ended = tenant.tidy(self.clock.now()).await?;
        self.tally.ended += u64::try_from(ended).unwrap_or(0);
        if treasury::is_low(&tenant.wallet().await?) {
            treasury::give(&mut self.operator, tenant.organisation(), tenant.name, &*self.clock).await?;
        }
        Ok(())
    }

    async fn tell(&self) {
        let Ok(Pool { live_rentals, open_bids, live_jobs, devices, .. }) = self.pool().await else { return };
        let Tally { made, nothing, refused, ended } = self.tally;
        tracing::info!(live_rentals, open_bids, live_jobs, devices, made, nothing, refused, ended, "demo");
    }

    async fn pool(&self) -> Result<Pool, ClientError> {
        self.anyone.get(&format!("/v1/pools/{}", self.pool)).await
    }
}

/// True when it is time to stop.
async fn pause(time: Duration, stop: &CancellationToken) -> bool {
    tokio::select! {
        () = stop.cancelled() => true,
        () = tokio::time::sleep(time) => false,
    }
}
