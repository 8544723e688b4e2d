//! What a bid would get if the pool were cleared now: the next round's own planner on the live book, with one bid more.
//! Nothing is placed, and nobody's book is read twice a second for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use scheduler::world::ids::PoolId;
use scheduler::world::{At, Bid, Demand, DemandId, Micros, PricePerHour, Want};
use scheduler::{Code, Explanation, Numbers, Plan, plan};
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use tokio::sync::{Mutex, Semaphore};

use super::Caller;
use super::bid_desk::BidDesk;
use super::place_bid::{BidOrder, PlaceBidError, Placing, decide};
use crate::clock::to_at;
use crate::store::snapshot::{self, World};
use crate::store::{StoreError, Tx};

/// How long a book is good for another dry run.
const FRESH: Duration = Duration::seconds(2);
/// Plans made at once: the round itself needs a core, too.
const AT_ONCE: usize = 2;

/// What a bid would get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlook {
    /// The bid that would be placed.
    pub placing: Placing,
    /// Whether it would win in the next round.
    pub would_win: bool,
    /// Why, with the numbers. The class and the price are those of the next round.
    pub explanation: Explanation,
    /// The least limit that would win, as far as it is known.
    pub winning_limit: Option<PricePerHour>,
    /// The number of the round that this is about.
    pub round_number: i64,
}

/// Makes dry runs, over books that are kept for a moment.
#[derive(Debug)]
pub struct DryRuns {
    db: PgPool,
    books: Mutex<BTreeMap<PoolId, (OffsetDateTime, Arc<World>)>>,
    planners: Semaphore,
}

impl DryRuns {
    /// Nothing is read until somebody asks.
    #[must_use]
    pub fn new(db: PgPool) -> Self {
        Self { db, books: Mutex::new(BTreeMap::new()), planners: Semaphore::new(AT_ONCE) }
    }

    /// What the bid would get.
    pub async fn run(&self, desk: &BidDesk, caller: &Caller, order: &BidOrder) -> Result<Outlook, PlaceBidError> {
        let now = desk.clock.now();
        let id = desk.entropy.id(now);
        let placing = desk.catalogue.decide(now, |terms| decide(id, caller, order, terms, now)).await??;
        let world = self.book(placing.bid.pool, now).await?.ok_or(PlaceBidError::NoSuchPool)?;
        let turn = self.planners.acquire().await.map_err(|error| StoreError::corrupt("queue of dry runs", error))?;
        let outlook = tokio::task::spawn_blocking(move || look(&world, placing, to_at(now))).await;
        drop(turn);
        Ok(outlook.map_err(|panic| StoreError::corrupt("plan of a dry run", panic))?)
    }

    /// The pool's book, at most a moment old. Whoever comes while it is read waits for it.
    async fn book(&self, pool: PoolId, now: OffsetDateTime) -> Result<Option<Arc<World>>, StoreError> {
        let mut books = self.books.lock().await;
        books.retain(|_, (read_at, _)| (*read_at..*read_at + FRESH).contains(&now));
        if let Some((_, world)) = books.get(&pool) {
            return Ok(Some(Arc::clone(world)));
        }
        let mut tx = Tx::begin_snapshot(&self.db).await?;
        let Some(world) = snapshot::load(&mut tx, pool, now).await? else { return Ok(None) };
        tx.commit().await?;
        let world = Arc::new(world);
        books.insert(pool, (now, Arc::clone(&world)));
        Ok(Some(world))
    }
}

/// Plans the next round with the bid in it.
fn look(world: &World, placing: Placing, now: At) -> Outlook {
    let bid = &placing.bid;
    let demand = DemandId::Bid(bid.id);
    let mut snapshot = world.snapshot.clone();
    snapshot.demands.push(Demand {
        owner: bid.organisation,
        arrived_at: now,
        want: Want::Bid(Bid {
            bid: bid.id,
            classes: bid.classes.clone(),
            gang: bid.gang,
            limit: bid.limit,
            funds: placing.hold,
            ends_at: bid.ends_at.map(to_at),
        }),
    });
    // Any seed does: it decides nothing that a limit decides.
    let plan = plan(&snapshot, &world.rules, now.max(snapshot.at), 0);
    told(&plan, demand, placing, snapshot.number)
}

fn told(plan: &Plan, demand: DemandId, placing: Placing, round_number: i64) -> Outlook {
    let granted = plan.grants.iter().any(|grant| grant.demand == demand);
    let awaited = plan.awaiting.iter().any(|awaiting| awaiting.demand == demand);
    let explanation = plan.explanations.iter().find(|one| one.demand == demand).cloned();
    let nothing = Explanation { demand, code: Code::NoCapacity, numbers: Numbers::default() };
    let explanation = explanation.unwrap_or(nothing);
    let numbers = &explanation.numbers;
    let would_win = granted || awaited;
    let winning_limit = numbers.limit_to_win.or(numbers.price.filter(|_| would_win));
    Outlook { would_win, winning_limit, explanation, placing, round_number }
}

impl Outlook {
    /// The most that the bid can cost per hour: its gang at its limit.
    #[must_use]
    pub fn total_per_hour_max(&self) -> Micros {
        let bid = &self.placing.bid;
        Micros::new(bid.limit.micros().saturating_mul(i64::from(bid.gang)))
    }
}
