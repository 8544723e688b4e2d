//! One price per class and round: the highest limit that lost, and never less than an ask that was sold.
//!
//! Bids are sealed and compete by limit; everybody who wins on a class pays the same. Since claims are served by falling
//! limit, whoever is served after a loser has a smaller gang, and took what the loser could not use: such a loser lost
//! because its gang does not fit, not because of the price, and does not make it. The price is therefore at most what
//! the last winner offered.
//!
//! Not strategy-proof for bidders who want several gangs: a losing bid of one's own can raise one's own price.

use crate::gang::claim::Target;
use crate::gang::seating::Seating;
use crate::placement::rank::{Shape, admits};
use crate::plan::Why;

/// What the market sold of each class while seats are given out.
#[derive(Debug, Clone)]
pub struct Book {
    classes: Vec<Sold>,
}

#[derive(Debug, Clone, Copy)]
struct Sold {
    /// The highest floor that is sold: the price is not lower.
    dearest_floor: i64,
    /// The lowest limit that won: the price is not higher.
    least_limit: i64,
}

const NOTHING: Sold = Sold { dearest_floor: 0, least_limit: i64::MAX };

impl Book {
    /// A book of so many classes in which nothing is sold.
    #[must_use]
    pub fn new(classes: usize) -> Self {
        Self { classes: vec![NOTHING; classes] }
    }

    /// The highest floor on which a bid with this limit can be served, so that one price does for all: not above anybody's limit, and
    /// `None` if its limit is below a floor that is sold already.
    #[must_use]
    pub fn ceiling(&self, class: usize, limit: i64) -> Option<i64> {
        let sold = self.classes[class];
        (limit >= sold.dearest_floor).then_some(limit.min(sold.least_limit))
    }

    /// The highest floor that is sold.
    #[must_use]
    pub fn dearest_floor(&self, class: usize) -> i64 {
        self.classes[class].dearest_floor
    }

    /// Notes a sale.
    pub fn sell(&mut self, class: usize, floor: i64, limit: i64) {
        let sold = &mut self.classes[class];
        sold.dearest_floor = sold.dearest_floor.max(floor);
        sold.least_limit = sold.least_limit.min(limit);
    }

    /// Forgets the sales of a class.
    pub fn clear(&mut self, class: usize) {
        self.classes[class] = NOTHING;
    }
}

/// How the price of a class came about. All in micros per device and hour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pricing {
    /// The price; what the next gang would pay at least where nothing is sold, `None` where nothing is offered.
    pub price: Option<i64>,
    /// The highest floor sold.
    pub marginal_ask: Option<i64>,
    /// The lowest limit that won.
    pub marginal_limit: Option<i64>,
    /// The highest limit that lost on price.
    pub losing_limit: Option<i64>,
    /// Place in the queue of the last winner.
    pub last_winner: Option<usize>,
}

/// Prices every class, by ordinal.
#[must_use]
pub fn prices(seating: &Seating<'_>) -> Vec<Pricing> {
    let mut prices = vec![Pricing::default(); seating.board.classes.len()];
    for target in seating.targets.iter().flatten().filter(|target| target.right == Why::Market && !target.sheltered) {
        let class = seating.board.buckets[target.bucket].class;
        let pricing = &mut prices[class];
        pricing.marginal_ask = pricing.marginal_ask.max(Some(seating.board.floor(target.bucket)));
        pricing.marginal_limit = Some(pricing.marginal_limit.map_or(target.limit, |least| least.min(target.limit)));
        pricing.last_winner = pricing.last_winner.max(Some(target.rank));
    }
    let room = market_room(seating);
    for (rank, claim) in seating.queue.iter().enumerate() {
        let lost = claim.right == Why::Market && seating.targets[claim.demand].is_none();
        if !lost || seating.over_quota.contains(&claim.demand) {
            continue;
        }
        for choice in &claim.choices {
            let shape = Shape { class: choice.class, gang: claim.gang, ceiling: claim.ceiling, node: None };
            let pricing = &mut prices[choice.class];
            let outranked = pricing.last_winner.is_none_or(|last| last < rank);
            if outranked && could_be_served(seating, &room, shape) {
                pricing.losing_limit = pricing.losing_limit.max(Some(claim.ceiling));
            }
        }
    }
    for (class, pricing) in prices.iter_mut().enumerate() {
        let cheapest = seating.board.of_class[class].iter().map(|bucket| seating.board.floor(*bucket)).min();
        let cheapest = cheapest.filter(|floor| *floor < i64::MAX);
        pricing.price = cheapest.map(|floor| {
            let sold = pricing.marginal_ask.unwrap_or(floor);
            sold.max(pricing.losing_limit.unwrap_or(0))
        });
    }
    prices
}

/// Devices of each bucket that the market could have had: all but what goes at the posted price or is owed.
#[must_use]
pub fn market_room(seating: &Seating<'_>) -> Vec<usize> {
    let mut room: Vec<usize> = seating.board.buckets.iter().map(|bucket| bucket.reachable).collect();
    let owed = |target: &&Target| {
        matches!(target.right, Why::Entitled) || (target.right == Why::OnDemand && !target.continues)
    };
    for target in seating.targets.iter().flatten().filter(owed) {
        room[target.bucket] = room[target.bucket].saturating_sub(target.gang);
    }
    room
}

/// Whether some node could serve a gang of this shape if no other bid were there.
fn could_be_served(seating: &Seating<'_>, room: &[usize], shape: Shape) -> bool {
    let mut buckets = seating.board.of_class[shape.class].iter().copied();
    buckets.any(|bucket| room[bucket] >= shape.gang && admits(&seating.board, bucket, shape))
}
