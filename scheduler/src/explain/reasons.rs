//! One explanation for each demand, from the seats, the prices and what stood in the way.

use super::losing::Entries;
use super::{Code, Explanation, Numbers};
use crate::clearing::uniform_price::Pricing;
use crate::fairness::Assessment;
use crate::gang::claim::{Claim, Target};
use crate::gang::queue::is_funded;
use crate::gang::seating::Seating;
use crate::placement::board::Seat;
use crate::plan::{Why, writing};
use crate::world::{At, PricePerHour, Want};
use std::collections::BTreeSet;

/// Explains every demand, in order.
pub fn explain(seating: &Seating<'_>, fair: &Assessment<'_>, prices: &[Pricing]) -> Vec<Explanation> {
    let mut market: Vec<Option<usize>> = vec![None; seating.targets.len()];
    let mut claims: Vec<Vec<usize>> = vec![Vec::new(); seating.targets.len()];
    for (rank, claim) in seating.queue.iter().enumerate() {
        claims[claim.demand].push(rank);
        if claim.right == Why::Market {
            market[claim.demand] = Some(rank);
        }
    }
    let broke = fair.members.iter().filter(|member| !member.active).map(|member| member.demand).collect();
    let mut reasons = Reasons { seating, prices, broke, market, claims, entries: Entries::new(seating, prices) };
    (0..seating.targets.len()).map(|demand| reasons.explain(demand)).collect()
}

struct Reasons<'s, 'a> {
    seating: &'s Seating<'a>,
    prices: &'s [Pricing],
    /// Jobs that cannot pay.
    broke: BTreeSet<usize>,
    /// Place in the queue of each demand's market claim.
    market: Vec<Option<usize>>,
    /// Places in the queue of all claims of each demand.
    claims: Vec<Vec<usize>>,
    entries: Entries<'s, 'a>,
}

impl Reasons<'_, '_> {
    fn explain(&mut self, demand: usize) -> Explanation {
        let listed = &self.seating.board.world.demands[demand];
        let limit = self.claim(demand).and_then(|(_, claim)| price(claim.ceiling));
        let numbers = Numbers { gang: listed.gang(), limit, ..Numbers::default() };
        let target = self.seating.targets[demand].as_ref();
        let (code, numbers) = match target.filter(|target| writing::runs(self.seating, target, self.prices)) {
            Some(target) => self.seated(demand, target, numbers),
            None => self.unseated(demand, numbers),
        };
        Explanation { demand: listed.id(), code, numbers }
    }

    fn seated(&self, demand: usize, target: &Target, numbers: Numbers) -> (Code, Numbers) {
        let class = self.seating.board.buckets[target.bucket].class;
        let numbers = Numbers {
            class: Some(self.seating.board.classes[class].clone()),
            price: writing::price_of(self.seating, demand, target, self.prices),
            ..numbers
        };
        if target.starts_at > self.seating.board.now {
            return (Code::AwaitingNotice, Numbers { until: Some(target.starts_at), ..numbers });
        }
        let code = match target.right {
            Why::OnDemand => Code::GrantedOnDemand,
            Why::Market => Code::GrantedMarket,
            Why::Entitled | Why::Idle => Code::GrantedEntitled,
        };
        (code, numbers)
    }

    fn unseated(&mut self, demand: usize, numbers: Numbers) -> (Code, Numbers) {
        let board = &self.seating.board;
        if self.cannot_pay(demand) {
            return (Code::BudgetPaused, Numbers { until: self.leaves_at(demand), ..numbers });
        }
        if self.seating.over_quota.contains(&demand) {
            let quota = self.seating.quotas.told(board.world.demands[demand].owner);
            return (Code::OverQuota, Numbers { quota, until: self.leaves_at(demand), ..numbers });
        }
        match board.seats[demand] {
            Seat::Runs { holding, .. } => {
                let until = Some(board.world.holdings[holding].protected_until);
                let price = self.nearest(demand).and_then(|class| self.prices[class].price).and_then(price);
                (Code::MinRunProtected, Numbers { price, until, ..numbers })
            }
            Seat::Leaves { until, .. } => {
                let (code, numbers) = self.lost(demand, numbers);
                let code = if code == Code::Outbid { code } else { Code::AwaitingNotice };
                (code, Numbers { until: Some(until), ..numbers })
            }
            Seat::Held { .. } => (Code::NoCapacity, numbers),
            Seat::None => self.lost(demand, numbers),
        }
    }

    /// Why a demand without a seat has none, told for the class in which it came closest.
    fn lost(&mut self, demand: usize, numbers: Numbers) -> (Code, Numbers) {
        let claims = || self.claims[demand].iter().map(|rank| &self.seating.queue[*rank]);
        let market = self.claim(demand);
        let choices = market.map_or_else(
            || claims().flat_map(|claim| claim.choices.iter().map(|choice| choice.class)).collect(),
            |(_, claim)| claim.choices.iter().map(|choice| choice.class).collect::<Vec<_>>(),
        );
        let (gang, limit) = match market {
            Some((_, claim)) => (claim.gang, claim.ceiling),
            None => (usize::try_from(numbers.gang).unwrap_or(0), i64::MAX),
        };
        let node = claims().find_map(|claim| claim.node);
        let rank = market.map(|(rank, _)| rank);
        let mut closest: Option<(u8, i64, Code, Numbers)> = None;
        for class in choices {
            let entry = self.entries.find(class, gang, limit, node);
            let pricing = &self.prices[class];
            let asked = pricing.price.unwrap_or(i64::MAX);
            let outbid = rank.is_some_and(|rank| {
                limit < asked || (limit == asked && pricing.last_winner.is_none_or(|last| last < rank))
            });
            let (order, code) = match entry.protected_until {
                Some(_) => (0, Code::MinRunProtected),
                None if !outbid && entry.reachable > 0 => (1, Code::GangDoesNotFit),
                None if outbid && entry.price.is_some() => (2, Code::Outbid),
                None if entry.reachable > 0 => (3, Code::GangDoesNotFit),
                None => (4, Code::NoCapacity),
            };
            let told = Numbers {
                class: Some(self.seating.board.classes[class].clone()),
                price: pricing.price.and_then(price),
                limit_to_win: rank.and(entry.price).and_then(price),
                largest_free_block: i32::try_from(entry.largest_block).ok(),
                until: entry.protected_until,
                ..numbers.clone()
            };
            let nearness = entry.price.unwrap_or(i64::MAX);
            if closest.as_ref().is_none_or(|(best, near, ..)| (order, nearness) < (*best, *near)) {
                closest = Some((order, nearness, code, told));
            }
        }
        closest.map_or((Code::NoCapacity, numbers), |(_, _, code, told)| (code, told))
    }

    fn claim(&self, demand: usize) -> Option<(usize, &Claim)> {
        self.market[demand].map(|rank| (rank, &self.seating.queue[rank]))
    }

    fn nearest(&self, demand: usize) -> Option<usize> {
        match self.seating.board.seats[demand] {
            Seat::Runs { bucket, .. } => Some(self.seating.board.buckets[bucket].class),
            _ => None,
        }
    }

    fn leaves_at(&self, demand: usize) -> Option<At> {
        match self.seating.board.seats[demand] {
            Seat::Leaves { until, .. } => Some(until),
            _ => None,
        }
    }

    fn cannot_pay(&self, demand: usize) -> bool {
        match &self.seating.board.world.demands[demand].want {
            Want::Bid(bid) => !is_funded(bid, self.seating.board.rules),
            Want::Job(_) => self.broke.contains(&demand),
            Want::OnDemand(_) => false,
        }
    }
}

fn price(micros: i64) -> Option<PricePerHour> {
    PricePerHour::from_micros(micros).ok()
}
