//! The snapshot and the plan, indexed by what the checks ask for.

use crate::plan::{Awaiting, Eviction, Grant, Plan, Standing, Why};
use crate::world::{
    Ask, At, ClassId, Demand, DemandId, DeviceId, Holding, Job, JobId, Node, NodeId, NodeState, OrganisationId, Rules,
    Snapshot, Want,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is looked at.
pub(super) struct Case<'a> {
    pub snapshot: &'a Snapshot,
    pub rules: &'a Rules,
    pub plan: &'a Plan,
    pub now: At,
    pub demands: BTreeMap<DemandId, &'a Demand>,
    pub nodes: BTreeMap<NodeId, &'a Node>,
    pub grants: BTreeMap<DemandId, &'a Grant>,
    pub awaiting: BTreeMap<DemandId, &'a Awaiting>,
    pub evictions: BTreeMap<crate::world::RentalId, &'a Eviction>,
    /// Who holds a device once the plan's releases are done.
    pub holder: BTreeMap<DeviceId, &'a Holding>,
    /// The running gang of each demand: not released, not under notice from an earlier round.
    pub running: BTreeMap<DemandId, &'a Holding>,
    pub granted: BTreeSet<DeviceId>,
    /// What each demand holds in the snapshot, under notice or not.
    pub held: BTreeMap<DemandId, &'a Holding>,
    pub standings: BTreeMap<JobId, &'a Standing>,
    /// Organisations with a quota.
    pub limited: BTreeSet<OrganisationId>,
    prices: BTreeMap<&'a ClassId, i64>,
    /// Devices of each class that entitled gangs have, or wait for.
    entitled: BTreeMap<&'a ClassId, i64>,
}

impl<'a> Case<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, rules: &'a Rules, plan: &'a Plan) -> Self {
        let now = plan.at;
        let evictions: BTreeMap<_, _> = plan.evictions.iter().map(|eviction| (eviction.rental, eviction)).collect();
        let over = |holding: &&Holding| holding.notice_until.is_some_and(|until| until <= now);
        let leaves_now = |holding: &&Holding| {
            evictions.get(&holding.rental).is_some_and(|eviction: &&Eviction| eviction.notice_until <= now)
        };
        let staying = || snapshot.holdings.iter().filter(|holding| !over(holding) && !leaves_now(holding));
        let holder =
            staying().flat_map(|holding| holding.devices.iter().map(move |device| (*device, holding))).collect();
        let running =
            staying().filter(|holding| holding.notice_until.is_none()).map(|holding| (holding.demand, holding));
        let prices = plan.prices.iter().filter_map(|row| Some((&row.class, row.price?.micros())));
        let mut entitled = BTreeMap::new();
        let granted = plan.grants.iter().filter(|grant| grant.why == Why::Entitled);
        let granted = granted.map(|grant| (&grant.class, i64::try_from(grant.devices.len()).unwrap_or(i64::MAX)));
        let waiting = plan.awaiting.iter().filter(|seat| seat.why == Why::Entitled);
        for (class, devices) in granted.chain(waiting.map(|seat| (&seat.class, i64::from(seat.devices)))) {
            *entitled.entry(class).or_insert(0) += devices;
        }
        Self {
            snapshot,
            rules,
            plan,
            now,
            demands: snapshot.demands.iter().map(|demand| (demand.id(), demand)).collect(),
            nodes: snapshot.nodes.iter().map(|node| (node.id, node)).collect(),
            grants: plan.grants.iter().map(|grant| (grant.demand, grant)).collect(),
            awaiting: plan.awaiting.iter().map(|awaiting| (awaiting.demand, awaiting)).collect(),
            holder,
            running: running.collect(),
            granted: plan.grants.iter().flat_map(|grant| grant.devices.iter().copied()).collect(),
            held: snapshot.holdings.iter().map(|holding| (holding.demand, holding)).collect(),
            standings: plan.fairness.iter().map(|standing| (standing.job, standing)).collect(),
            limited: snapshot.quotas.iter().map(|quota| quota.organisation).collect(),
            prices: prices.collect(),
            entitled,
            evictions,
        }
    }

    /// The class's price in the plan, in micros.
    pub(super) fn price(&self, class: &ClassId) -> Option<i64> {
        self.prices.get(class).copied()
    }

    /// The ask on which new gangs of a class may start at a node.
    pub(super) fn open_ask(&self, node: &'a Node, class: &ClassId) -> Option<&'a Ask> {
        let last = self.now.saturating_add(self.rules.round).saturating_add(self.rules.notice);
        let lasting = |ask: &&Ask| ask.class == *class && ask.ends_at.is_none_or(|end| end >= last);
        if node.state == NodeState::Ready { node.asks.iter().find(lasting) } else { None }
    }

    /// Whether a demand got, or will get, what it asked for.
    pub(super) fn is_seated(&self, demand: DemandId) -> bool {
        self.grants.contains_key(&demand) || self.awaiting.contains_key(&demand)
    }

    /// The most a demand pays on the market for a device and hour of a class, in micros; `None` if it is not on the
    /// market there. A job pays what lets its budget last until its work is done on that class.
    pub(super) fn market_limit(&self, demand: &Demand, class: &ClassId) -> Option<i64> {
        let cap = self.rules.limit_cap.micros();
        match &demand.want {
            Want::OnDemand(_) => None,
            Want::Bid(bid) => demand.accepts(class).then(|| bid.limit.micros().min(cap)),
            Want::Job(job) => {
                let speed = i128::from(job.speed_on(class));
                if speed <= 0 {
                    return None;
                }
                let left = (i128::from(job.work) - self.done_by_now(job)).max(0) * 1000 / speed;
                let left = left.max(i128::from(self.quantum())).max(1);
                let limit = i128::from(job.budget_left.get()) * 3_600_000 / (left * i128::from(job.gang.max(1)));
                i64::try_from(limit.min(i128::from(cap))).ok()
            }
        }
    }

    /// Work that a job has done by the round, in milliunits: as told, and since then at its speed where it was usable.
    fn done_by_now(&self, job: &Job) -> i128 {
        let since = self.held.get(&DemandId::Job(job.job)).and_then(|holding| Some((*holding, holding.usable_at?)));
        let worked = since.map_or(0, |(holding, usable_at)| {
            let until = holding.notice_until.map_or(self.now, |until| until.min(self.now));
            let millis = until.since(usable_at.max(job.advanced_at)).get().max(0);
            i128::from(millis) * i128::from(job.speed_on(&holding.class))
        });
        i128::from(job.done) + (worked + i128::from(job.fairness.done_rest)).div_euclid(1000)
    }

    /// The unit of entitlement, in milliseconds.
    pub(super) fn quantum(&self) -> i64 {
        self.rules.round.get().max(self.rules.min_run.get()).max(1)
    }

    /// The most a job can pay for a device and hour over a quantum, in micros.
    pub(super) fn quantum_limit(&self, budget: i64, gang: i32) -> i64 {
        let limit = i128::from(budget) * 3_600_000 / (i128::from(self.quantum()) * i128::from(gang.max(1)));
        i64::try_from(limit).unwrap_or(i64::MAX)
    }

    /// The price of the entitled part on an ask, in micros.
    pub(super) fn entitlement_price(&self, class: &ClassId, floor: i64) -> i64 {
        let posted = self.snapshot.classes.iter().find(|listed| listed.id == *class);
        posted.and_then(|listed| listed.entitlement_price).map_or(floor, |price| price.micros().max(floor))
    }

    /// Whether a grant's gang could not have been sent away in this round.
    pub(super) fn is_protected(&self, grant: &Grant) -> bool {
        grant.continues && self.running.get(&grant.demand).is_some_and(|holding| holding.protected_until > self.now)
    }

    /// Whether a grant is a job in the middle of an entitled quantum.
    pub(super) fn is_serving(&self, demand: DemandId) -> bool {
        match self.demands.get(&demand).map(|demand| &demand.want) {
            Some(Want::Job(job)) => {
                let half = self.rules.round.get() / 2;
                job.fairness.service > 0
                    && job.fairness.quantum_until.is_some_and(|end| end.since(self.now).get() > half)
            }
            _ => false,
        }
    }

    /// Whether an earlier round promised this place to a job by right.
    pub(super) fn was_promised(&self, demand: DemandId, node: NodeId, class: &ClassId) -> bool {
        let here = |seat: &Awaiting| seat.demand == demand && seat.node == node && seat.class == *class;
        self.snapshot.promised.iter().any(|seat| seat.why == Why::Entitled && here(seat))
    }

    /// Devices of each class that could be given out, with those that were let at the posted price at this very instant.
    pub(super) fn capacity(&self) -> BTreeMap<&'a ClassId, i64> {
        let mut capacity = BTreeMap::new();
        for (_, class, _) in self.divided() {
            *capacity.entry(class).or_insert(0) += 1;
        }
        capacity
    }

    /// The same devices one by one, with class and ask.
    pub(super) fn divided(&self) -> impl Iterator<Item = (DeviceId, &'a ClassId, i64)> + '_ {
        let let_now = |device: DeviceId| self.holder.get(&device).is_some_and(|holding| holding.since == self.now);
        self.open().filter(move |(device, ..)| let_now(*device) || !self.is_fixed(*device))
    }

    /// Devices that are traded on an open ask, with class and floor.
    fn open(&self) -> impl Iterator<Item = (DeviceId, &'a ClassId, i64)> + '_ {
        let devices = self.nodes.values().flat_map(|node| node.devices.iter().map(move |device| (*node, device)));
        devices.filter(|(_, device)| device.state.is_tradable()).filter_map(|(node, device)| {
            let ask = self.open_ask(node, &device.class)?;
            Some((device.id, &device.class, ask.floor.micros()))
        })
    }

    /// Whether a device is held by somebody that stays whatever happens.
    pub(super) fn is_fixed(&self, device: DeviceId) -> bool {
        self.holder.get(&device).is_some_and(|holding| {
            let on_demand = matches!(holding.demand, DemandId::OnDemand(_));
            holding.notice_until.is_none() && (on_demand || !self.demands.contains_key(&holding.demand))
        })
    }

    /// Whether a bid's funds cover a round at its limit.
    pub(super) fn is_funded(&self, bid: &crate::world::Bid) -> bool {
        bid.limit.cost(bid.gang, self.rules.round).is_ok_and(|cost| cost <= bid.funds)
    }

    /// Devices of a class that entitled gangs have, or wait for.
    pub(super) fn entitled(&self, class: &ClassId) -> i64 {
        self.entitled.get(class).copied().unwrap_or(0)
    }
}
