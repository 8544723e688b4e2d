//! The simulated pool: from its state to a snapshot, and from a plan back to its state.

use super::run::Settings;
use super::workload::{Cluster, SimJob};
use crate::plan::{Plan, Standing};
use crate::round::meanwhile;
use crate::world::{
    Ask, AskId, At, ClassId, ClassSpeed, ClassSupply, Demand, DemandId, Departed, Device, DeviceId, DeviceState,
    Floors, Holding, Job, JobFairness, JobId, Micros, Millis, Node, NodeId, NodeState, OrganisationId, PoolId,
    PricePerHour, PriceRule, ProviderId, RentalId, Rules, Snapshot, Want,
};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Product units per step: speeds are whole numbers there, steps per round need not be.
const UNITS_PER_STEP: f64 = 1000.0;
/// What a device costs per hour, in micros: more than jobs may bid, so that they have what their share gives them.
const FLOOR_MICROS: i64 = 2;

/// The pool between two rounds.
#[derive(Debug)]
pub struct Pool {
    /// Its settings.
    pub rules: Rules,
    settings: Settings,
    classes: Vec<ClassId>,
    nodes: Vec<Node>,
    /// For each device its class and its ordinal there.
    devices: BTreeMap<DeviceId, (usize, u32)>,
    jobs: BTreeMap<JobId, Present>,
    holdings: BTreeMap<JobId, (Holding, bool)>,
    departed: BTreeMap<JobId, Departed>,
    rentals: u64,
}

/// A job that is there.
#[derive(Debug)]
struct Present {
    job: Job,
    arrived_at: At,
}

/// A gang that runs in this round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// Place of the job in the workload.
    pub job: usize,
    /// Ordinal of its class.
    pub class: usize,
    /// Its devices, by ordinal in the class.
    pub devices: Vec<u32>,
    /// Whether it did not run there in the round before.
    pub starts: bool,
}

/// A second of the simulation as an instant.
#[must_use]
pub fn instant(seconds: f64) -> At {
    At::from_millis(whole(seconds * 1e3))
}

impl Pool {
    /// An empty pool.
    #[must_use]
    pub fn new(cluster: &Cluster, settings: &Settings) -> Self {
        let mut pool = Self {
            rules: rules(settings),
            settings: settings.clone(),
            classes: cluster.classes.iter().map(|class| class.class.clone()).collect(),
            nodes: Vec::new(),
            devices: BTreeMap::new(),
            jobs: BTreeMap::new(),
            holdings: BTreeMap::new(),
            departed: BTreeMap::new(),
            rentals: 0,
        };
        for (class, size) in cluster.classes.iter().enumerate() {
            let per_node = if cluster.gpus_per_node <= 1 { size.devices.max(1) } else { cluster.gpus_per_node };
            let mut first = 0;
            while first < size.devices {
                let last = size.devices.min(first + per_node);
                pool.add_node(class, first..last);
                first = last;
            }
        }
        pool
    }

    fn add_node(&mut self, class: usize, devices: std::ops::Range<u32>) {
        let floor = PricePerHour::from_micros(FLOOR_MICROS).unwrap_or(PricePerHour::LEAST);
        let number = self.nodes.len() as u64;
        let id = self.classes[class].clone();
        let mut node = Node {
            id: NodeId::from_uuid(uuid(2, number)),
            provider: ProviderId::from_uuid(uuid(3, 0)),
            state: NodeState::Ready,
            devices: Vec::new(),
            asks: vec![Ask {
                id: AskId::from_uuid(uuid(4, number)),
                class: id.clone(),
                floor,
                price: floor,
                min_chunk: 1,
                ends_at: None,
            }],
        };
        for (slot, ordinal) in devices.enumerate() {
            let device = DeviceId::from_uuid(uuid(5, self.devices.len() as u64));
            self.devices.insert(device, (class, ordinal));
            let slot = i32::try_from(slot).unwrap_or(i32::MAX);
            node.devices.push(Device { id: device, class: id.clone(), slot, state: DeviceState::Free });
        }
        self.nodes.push(node);
    }

    /// Whether nobody is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Lets a job in.
    pub fn admit(&mut self, number: usize, job: &SimJob) {
        let id = id_of(number);
        let round = f64::from(self.settings.round_seconds);
        // Speeds are told as what a round yields, so that the planner's seconds and the simulation's rounds agree.
        let per_round = |speed: f64| {
            let steps = speed * round;
            whole(UNITS_PER_STEP * if self.settings.whole_steps { libm::floor(steps + 1e-9) } else { steps })
        };
        let speeds = job.speeds.iter().zip(&self.classes);
        let speeds =
            speeds.map(|(speed, class)| ClassSpeed { class: class.clone(), milliunits_per_second: per_round(*speed) });
        let arrived_at = instant(job.arrival);
        let job = Job {
            job: id,
            gang: i32::try_from(job.gang).unwrap_or(i32::MAX),
            weight_milli: job.weight_milli,
            speeds: speeds.collect(),
            work: self.units(job.work),
            done: 0,
            reference: 0,
            budget_left: Micros::new(i64::MAX / 4),
            advanced_at: arrived_at,
            fairness: JobFairness::default(),
        };
        self.jobs.insert(id, Present { job, arrived_at });
    }

    fn units(&self, steps: f64) -> i64 {
        whole(steps * UNITS_PER_STEP * f64::from(self.settings.round_seconds))
    }

    /// Tells how many steps a job has done.
    pub fn advance(&mut self, number: usize, steps: f64) {
        let done = self.units(steps);
        if let Some(present) = self.jobs.get_mut(&id_of(number)) {
            present.job.done = done;
        }
    }

    /// Takes a job out, with its devices.
    pub fn leave(&mut self, number: usize) {
        let id = id_of(number);
        let Some(Present { job, .. }) = self.jobs.remove(&id) else { return };
        self.holdings.remove(&id);
        if self.rules.floors() == Floors::Deadlines && job.fairness.weight_milli > 0 {
            let departed = Departed { job: id, advanced_at: job.advanced_at, fairness: job.fairness };
            self.departed.insert(id, departed);
        }
    }

    /// Places in the workload of the jobs that are there.
    pub fn present(&self) -> impl Iterator<Item = usize> + '_ {
        self.jobs.keys().map(|id| number_of(*id))
    }

    /// Who runs in this round, in order of job.
    #[must_use]
    pub fn seats(&self) -> Vec<Running> {
        let seats = self.holdings.iter().map(|(job, (holding, starts))| {
            let places = holding.devices.iter().filter_map(|device| self.devices.get(device));
            Running {
                job: number_of(*job),
                class: places.clone().next().map_or(0, |(class, _)| *class),
                devices: places.map(|(_, ordinal)| *ordinal).collect(),
                starts: *starts,
            }
        });
        seats.collect()
    }

    /// The world of a round.
    #[must_use]
    pub fn snapshot(&self, now: f64, round: u64) -> Snapshot {
        let classes =
            self.classes.iter().map(|id| ClassSupply { id: id.clone(), entitlement_price: None, previous_price: None });
        let owner = OrganisationId::from_uuid(uuid(6, 0));
        let demands = self.jobs.values().map(|present| Demand {
            owner,
            arrived_at: present.arrived_at,
            want: Want::Job(present.job.clone()),
        });
        let number = i64::try_from(round).unwrap_or(i64::MAX) + 1;
        Snapshot {
            classes: classes.collect(),
            nodes: self.nodes.clone(),
            demands: demands.collect(),
            holdings: self.holdings.values().map(|(holding, _)| holding.clone()).collect(),
            departed: self.departed.values().cloned().collect(),
            ..Snapshot::empty(PoolId::from_uuid(uuid(1, 0)), number, instant(now))
        }
    }

    /// Makes a plan true.
    pub fn apply(&mut self, plan: &Plan) {
        let before = std::mem::take(&mut self.holdings);
        for grant in &plan.grants {
            let DemandId::Job(job) = grant.demand else { continue };
            let kept = before.get(&job).filter(|_| grant.continues).map(|(holding, _)| holding.clone());
            let starts = kept.is_none();
            let holding = kept.unwrap_or_else(|| {
                self.rentals += 1;
                Holding {
                    demand: grant.demand,
                    rental: RentalId::from_uuid(uuid(7, self.rentals)),
                    owner: OrganisationId::from_uuid(uuid(6, 0)),
                    node: grant.node,
                    class: grant.class.clone(),
                    devices: grant.devices.clone(),
                    since: plan.at,
                    // Progress is told by the simulation, not worked out from time.
                    usable_at: None,
                    price: grant.price,
                    notice_until: None,
                    protected_until: plan.at,
                }
            });
            self.holdings.insert(job, (holding, starts));
        }
        self.stand(&plan.fairness);
    }

    /// Brings everybody's accounts to `now`, between rounds, as the market's early rounds do when somebody has left.
    pub fn bring_forward(&mut self, now: f64, round: u64) {
        let standings = meanwhile(&self.snapshot(now, round), &self.rules, instant(now));
        self.stand(&standings);
    }

    fn stand(&mut self, standings: &[Standing]) {
        for standing in standings {
            if let Some(Present { job, .. }) = self.jobs.get_mut(&standing.job) {
                job.reference = standing.reference;
                job.advanced_at = standing.advanced_at;
                job.fairness = standing.state.clone();
            } else if standing.settled {
                self.departed.remove(&standing.job);
            } else if let Some(departed) = self.departed.get_mut(&standing.job) {
                departed.advanced_at = standing.advanced_at;
                departed.fairness = standing.state.clone();
            }
        }
    }
}

fn rules(settings: &Settings) -> Rules {
    Rules {
        version: Rules::VERSION,
        admission_cap_milli: None,
        share_policy: settings.policy,
        tilt: settings.tilt,
        price_rule: PriceRule::UniformPrice,
        round: Millis::from_seconds(settings.round_seconds),
        notice: Millis::ZERO,
        min_run: Millis::ZERO,
        restart: Millis::from_seconds(settings.restart_seconds),
        phi_ppm: 1_000_000,
        fee_bps: 0,
        limit_cap: PricePerHour::LEAST,
        move_gain_ppm: 100_000,
    }
}

fn uuid(kind: u64, number: u64) -> Uuid {
    Uuid::from_u64_pair(kind, number)
}

fn id_of(number: usize) -> JobId {
    JobId::from_uuid(uuid(8, number as u64))
}

fn number_of(id: JobId) -> usize {
    usize::try_from(id.uuid().as_u64_pair().1).unwrap_or(usize::MAX)
}

/// The nearest whole number.
#[expect(clippy::cast_possible_truncation, reason = "beyond 63 bits no simulation goes, and the cast saturates")]
fn whole(number: f64) -> i64 {
    libm::round(number) as i64
}
