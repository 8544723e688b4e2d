//! Serving the claims one by one: each gets a whole gang's seat, or nothing.

use super::claim::{Choice, Claim, Target};
use super::displace::Hunt;
use super::quota::Quotas;
use super::search::Place;
use crate::clearing::uniform_price::Book;
use crate::fairness::Assessment;
use crate::placement::board::{Board, Seat};
use crate::plan::{EvictionCause, Why};
use crate::world::{At, Demand};
use std::collections::{BTreeMap, BTreeSet};

/// What a round decides about seats.
#[derive(Debug, Clone)]
pub struct Seating<'a> {
    /// What is left of the pool.
    pub board: Board<'a>,
    /// The claims, strongest first.
    pub queue: Vec<Claim>,
    /// Who won a seat.
    pub targets: Vec<Option<Target>>,
    /// Who was told to leave in this round, and why.
    pub evicted: Vec<Option<EvictionCause>>,
    /// Whose quota stood in the way.
    pub over_quota: BTreeSet<usize>,
    /// How quotas are used.
    pub quotas: Quotas,
    /// Place in the queue of each demand's best remaining claim; beyond the queue for those without.
    pub(super) strength: Vec<usize>,
    /// What the market sold so far.
    pub(super) book: Book,
    /// Market gangs that could also stand on another class and have not started, by class.
    pub(super) movable: BTreeMap<usize, BTreeSet<usize>>,
    /// The classes each job can run on, fastest first.
    pub(super) speeds: BTreeMap<usize, Vec<Choice>>,
    /// The claims of each demand that are still to come, weakest first.
    to_come: Vec<Vec<usize>>,
    /// Running gangs that a stronger claim would have sent away, were it not for their minimum run.
    pub(super) sheltered: BTreeSet<usize>,
    in_quantum: BTreeSet<usize>,
    pub(super) hunt: Hunt,
    entitled: Vec<i64>,
    entitled_most: Vec<i64>,
    posted_room: Vec<i64>,
}

impl<'a> Seating<'a> {
    /// Serves the claims in their order.
    pub(super) fn serve_all(board: Board<'a>, fair: &Assessment<'_>, queue: Vec<Claim>) -> Self {
        let mut seating = Self::new(board, fair, queue);
        seating.dismiss_who_cannot_pay();
        for rank in 0..seating.queue.len() {
            seating.serve(rank);
        }
        seating.fill_what_was_left();
        seating
    }

    fn new(board: Board<'a>, fair: &Assessment<'_>, queue: Vec<Claim>) -> Self {
        let demands = board.world.demands.len();
        let mut to_come = vec![Vec::new(); demands];
        for (rank, claim) in queue.iter().enumerate().rev() {
            to_come[claim.demand].push(rank);
        }
        let strength = to_come.iter().map(|ranks| ranks.last().copied().unwrap_or(usize::MAX)).collect();
        let runs = |demand: usize| matches!(board.seats[demand], Seat::Runs { .. });
        let begun =
            fair.members.iter().filter(|member| runs(member.demand) && member.serves_a_quantum(board.rules, board.now));
        let in_quantum = begun.map(|member| member.demand).collect();
        let last: Vec<usize> = to_come.iter().map(|ranks| ranks.first().copied().unwrap_or(usize::MAX)).collect();
        let (demands_of, holdings) = (&board.world.demands, &board.world.holdings);
        // What was given out at this very instant counts when its claim has its turn, as it did then.
        let counts_later = board.seats.iter().filter_map(|seat| match seat {
            Seat::Leaves { holding, until } if *until <= board.now => Some(*holding),
            _ => None,
        });
        let counts_later: BTreeSet<usize> = counts_later.chain(board.newcomers.values().copied()).collect();
        let quotas = Quotas::new(
            board.world,
            |index| demands_of.binary_search_by_key(&holdings[index].demand, Demand::id).is_err(),
            |index| board.released.binary_search(&index).is_ok() || counts_later.contains(&index),
        );
        let (entitled_most, posted_room) = super::limits::of(&board, fair);
        Self {
            targets: vec![None; demands],
            evicted: vec![None; demands],
            over_quota: BTreeSet::new(),
            quotas,
            strength,
            book: Book::new(board.classes.len()),
            movable: BTreeMap::new(),
            speeds: super::queue::speeds(&board, fair),
            to_come,
            sheltered: BTreeSet::new(),
            hunt: Hunt::new(&board, &last, &in_quantum),
            in_quantum,
            entitled: vec![0; board.classes.len()],
            entitled_most,
            posted_room,
            board,
            queue,
        }
    }

    /// Whether a running gang must not lose its place to another, nor for a better one: inside its minimum run, or
    /// inside an entitled quantum.
    pub(super) fn is_protected(&self, demand: usize) -> bool {
        self.board.is_in_minimum_run(demand) || self.in_quantum.contains(&demand)
    }

    fn dismiss_who_cannot_pay(&mut self) {
        for demand in 0..self.targets.len() {
            if self.to_come[demand].is_empty() && !self.board.is_in_minimum_run(demand) {
                self.dismiss(demand, EvictionCause::Budget);
            }
        }
    }

    fn serve(&mut self, rank: usize) {
        let demand = self.queue[rank].demand;
        self.to_come[demand].pop();
        if self.targets[demand].is_some() {
            return;
        }
        match self.board.seats[demand] {
            Seat::Runs { bucket, holding } => self.serve_running(rank, bucket, holding),
            Seat::Held { bucket, holding } if self.queue[rank].right == Why::OnDemand => {
                self.stay(rank, bucket, holding)
            }
            Seat::Held { .. } => {}
            Seat::Leaves { until, .. } => self.place(rank, until),
            Seat::None => self.place(rank, self.board.now),
        }
        self.strength[demand] = self.to_come[demand].last().copied().unwrap_or(usize::MAX);
    }

    fn serve_running(&mut self, rank: usize, bucket: usize, holding: usize) {
        let demand = self.queue[rank].demand;
        // A gang that has to go in any case looks for another place by its strongest claim, any other by its last.
        let goes = self.board.is_withdrawn(bucket, holding);
        match self.may_stay(rank, bucket) {
            Ok(()) if !goes => self.stay(rank, bucket, holding),
            _ if self.board.is_in_minimum_run(demand) => {}
            _ if goes => {
                self.dismiss(demand, EvictionCause::Withdrawn);
                self.place(rank, self.board.rules.notice_end(self.board.now));
            }
            Ok(()) => {}
            Err(_) if !self.to_come[demand].is_empty() => {}
            Err(cause) => {
                self.dismiss(demand, cause);
                self.place(rank, self.board.rules.notice_end(self.board.now));
            }
        }
    }

    /// Whether a running gang can go on by this claim.
    fn may_stay(&self, rank: usize, bucket: usize) -> Result<(), EvictionCause> {
        let claim = &self.queue[rank];
        let class = self.board.buckets[bucket].class;
        if !claim.accepts(class) {
            return Err(EvictionCause::Withdrawn);
        }
        let dear = if claim.right == Why::Market { EvictionCause::Outbid } else { EvictionCause::Budget };
        // A quantum that has begun is served to its end, even if the jobs own less than they did.
        let begun = claim.right == Why::Entitled && self.in_quantum.contains(&claim.demand);
        let ceiling = if begun { self.entitled_floor(class, claim.ceiling) } else { self.ceiling_in(claim, class) };
        let ceiling = ceiling.ok_or(dear)?;
        if self.board.floor(bucket) > ceiling {
            return Err(dear);
        }
        if self.quotas.may_stay(self.owner(claim.demand), claim.gang) { Ok(()) } else { Err(EvictionCause::Quota) }
    }

    fn stay(&mut self, rank: usize, bucket: usize, holding: usize) {
        let claim = &self.queue[rank];
        let (demand, gang) = (claim.demand, claim.gang);
        let target = Target {
            right: claim.right,
            rank,
            bucket,
            gang,
            devices: self.board.world.holdings[holding].devices.clone(),
            starts_at: self.board.now,
            continues: true,
            sheltered: self.sheltered.contains(&demand),
            limit: claim.ceiling,
        };
        self.quotas.stay(self.owner(demand), gang);
        self.board.buckets[bucket].runners.remove(&demand);
        self.book_seat(demand, target);
    }

    /// Finds a place from which the claim can start, not before `earliest`.
    fn place(&mut self, rank: usize, earliest: At) {
        if !self.has_quota(rank) {
            return;
        }
        let mut place = self.search(rank);
        if place.is_none() && self.queue[rank].right == Why::Market {
            place = self.search_made_room(rank);
        }
        match place {
            Some(place) => self.take(rank, place, earliest),
            None => self.note_shelter(rank),
        }
    }

    pub(super) fn has_quota(&mut self, rank: usize) -> bool {
        let (demand, gang) = (self.queue[rank].demand, self.queue[rank].gang);
        let leaving = self.leaving(demand);
        let fits = self.quotas.may_start(self.owner(demand), gang, leaving);
        if !fits {
            self.over_quota.insert(demand);
        }
        fits
    }

    pub(super) fn take(&mut self, rank: usize, place: Place, earliest: At) {
        let claim = &self.queue[rank];
        let (demand, gang, right, limit) = (claim.demand, claim.gang, claim.right, claim.ceiling);
        let cause = match right {
            Why::OnDemand => EvictionCause::OnDemand,
            Why::Entitled => EvictionCause::Entitled,
            Why::Market | Why::Idle => EvictionCause::Outbid,
        };
        for victim in place.victims {
            self.dismiss(victim, cause);
        }
        let at_hand = self.board.buckets[place.bucket].free.len().min(gang);
        let devices = self.board.take_free_for(demand, place.bucket, at_hand);
        let due = self.board.take_due(place.bucket, gang - at_hand);
        let starts_at = due.unwrap_or(self.board.now).max(earliest);
        let leaving = self.leaving(demand);
        self.quotas.start(self.owner(demand), gang, leaving);
        let bucket = place.bucket;
        let target =
            Target { right, rank, bucket, gang, devices, starts_at, continues: false, sheltered: false, limit };
        self.book_seat(demand, target);
    }

    fn book_seat(&mut self, demand: usize, target: Target) {
        let class = self.board.buckets[target.bucket].class;
        let devices = i64::try_from(target.gang).unwrap_or(i64::MAX);
        let (right, continues) = (target.right, target.continues);
        self.over_quota.remove(&demand);
        self.targets[demand] = Some(target);
        match right {
            Why::OnDemand if continues => {}
            Why::OnDemand => self.posted_room[class] -= devices,
            Why::Entitled => self.entitled[class] += devices,
            Why::Market => self.note_market(demand),
            Why::Idle => {}
        }
    }

    /// How many devices a demand will have given back when another gang of its own starts, and still counts as holding.
    fn leaving(&self, demand: usize) -> usize {
        match self.board.seats[demand] {
            Seat::Leaves { until, .. } if until <= self.board.now => 0,
            Seat::Leaves { holding, .. } | Seat::Runs { holding, .. } => {
                self.board.world.holdings[holding].devices.len()
            }
            Seat::Held { .. } | Seat::None => 0,
        }
    }

    fn dismiss(&mut self, demand: usize, cause: EvictionCause) {
        if let Seat::Runs { holding, .. } = self.board.seats[demand] {
            self.board.vacate(demand);
            if self.board.rules.notice_end(self.board.now) <= self.board.now {
                self.quotas.leave(self.owner(demand), self.board.world.holdings[holding].devices.len());
            }
            self.evicted[demand] = Some(cause);
        }
    }

    /// A last look at what became free while others were served: nothing stays idle that somebody could use.
    fn fill_what_was_left(&mut self) {
        for rank in 0..self.queue.len() {
            let claim = &self.queue[rank];
            let waits = self.targets[claim.demand].is_none() && self.board.seats[claim.demand] == Seat::None;
            if !waits || claim.right == Why::OnDemand || claim.as_promised || !self.has_quota(rank) {
                continue;
            }
            if let Some(place) = self.search_free(&self.queue[rank]) {
                self.take(rank, place, self.board.now);
            }
        }
    }

    /// Writes a market seat into the book.
    pub(super) fn note_market(&mut self, demand: usize) {
        // Who stays only because of a minimum run neither makes nor bounds the price.
        let Some(target) = self.targets[demand].as_ref().filter(|target| !target.sheltered) else { return };
        let class = self.board.buckets[target.bucket].class;
        self.book.sell(class, self.board.floor(target.bucket), target.limit);
        let stood_nowhere = self.board.seats[demand] == Seat::None;
        let not_started = stood_nowhere && target.devices.len() == target.gang;
        if not_started && self.queue[target.rank].choices.len() > 1 {
            self.movable.entry(class).or_default().insert(demand);
        }
    }

    /// Writes the book of a class anew, after a seat was taken out of it.
    pub(super) fn recount_book(&mut self, class: usize) {
        self.book.clear(class);
        self.movable.remove(&class);
        for demand in 0..self.targets.len() {
            let here = self.targets[demand].as_ref().filter(|target| target.right == Why::Market);
            if here.is_some_and(|target| self.board.buckets[target.bucket].class == class) {
                self.note_market(demand);
            }
        }
    }

    /// The most a demand would pay on the market, in micros; 0 without a market claim.
    pub(super) fn limit_of(&self, demand: usize) -> i64 {
        let claim = self.queue.get(self.strength[demand]).filter(|claim| claim.right == Why::Market);
        claim.map_or(0, |claim| claim.ceiling)
    }

    /// Whether entitled gangs have not used up their part of a class yet. The last one may exceed it by a part of itself.
    pub(super) fn entitled_room(&self, class: usize) -> bool {
        self.entitled[class] < self.entitled_most[class]
    }

    /// The highest floor on which a job can pay the entitlement price, if any.
    pub(super) fn entitled_floor(&self, class: usize, ceiling: i64) -> Option<i64> {
        (super::queue::entitlement_price(&self.board, class, 0) <= ceiling).then_some(ceiling)
    }

    /// Whether the posted price may claim as much of a class without eating into what jobs are entitled to.
    pub(super) fn posted_room(&self, class: usize, gang: usize) -> bool {
        i64::try_from(gang).is_ok_and(|gang| gang <= self.posted_room[class])
    }

    fn owner(&self, demand: usize) -> crate::world::OrganisationId {
        self.board.world.demands[demand].owner
    }
}
