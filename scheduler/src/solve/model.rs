//! A programme made ready: without what decides nothing, each distinct row once, in comparable units, eight rows abreast.
//!
//! Classes without devices and rows that can run nowhere are left out; rows that agree in speeds, gang and aim become one
//! with a multiplicity (the optimum of a concave programme treats them alike); weights are divided by their mean, levels
//! and money by a typical amount, so that one target for `mu` fits all.

use super::interior::lane::{Lane, WIDTH};
use super::program::{Aim, Program, Step};

/// The kinds of rows, in the order in which they are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// [`Aim::Log`].
    Log,
    /// [`Aim::Spend`].
    Spend,
    /// [`Aim::Pay`].
    Pay,
    /// [`Aim::Level`].
    Level,
}

/// What eight rows have in common, and their numbers.
#[derive(Debug, Clone)]
pub struct Block {
    /// Of which kind they are.
    pub kind: Kind,
    /// Whether any has a floor.
    pub floored: bool,
    /// How many rows of the programme each stands for; 0 fills up the last block of a kind.
    pub count: Lane,
    /// Devices.
    pub gang: Lane,
    /// Weight or budget; 1 for the other kinds.
    pub weight: Lane,
    /// What a unit of money not spent costs, in units of utility scaled like the speeds.
    pub cost: Lane,
    /// The least utility.
    pub floor: Lane,
}

/// A class that has devices.
#[derive(Debug, Clone)]
pub struct Class {
    /// Its place in the programme.
    pub origin: usize,
    /// Devices that cost nothing.
    pub free: f64,
    /// Steps that have devices, asks in units of the model.
    pub steps: Vec<Step>,
}

/// A programme made ready.
#[derive(Debug, Clone)]
pub struct Model {
    /// The classes that have devices.
    pub classes: Vec<Class>,
    /// The rows, eight to a block.
    pub blocks: Vec<Block>,
    /// `speeds[block * classes + class]`.
    pub speeds: Vec<Lane>,
    /// For each row of the programme its place `block * WIDTH + lane`, unless it can run nowhere.
    pub places: Vec<Option<u32>>,
    /// For each place by how much its speeds were divided.
    pub divisor: Vec<f64>,
    /// By how much the objective was divided.
    pub unit: f64,
    /// How many rows of the programme can run.
    pub runnable: f64,
}

/// A distinct row.
#[derive(Debug, Clone, Copy)]
struct Distinct {
    first: u32,
    count: u32,
}

impl Model {
    /// Makes a checked programme ready.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let classes = classes(program);
        let (distinct, of_row) = distinct(program, &classes);
        let mut order: Vec<u32> = (0..u32::try_from(distinct.len()).unwrap_or(u32::MAX)).collect();
        let kind = |row: &u32| layout(program, distinct[*row as usize].first as usize);
        order.sort_by_key(kind);
        let mut model = Self {
            classes,
            blocks: Vec::with_capacity(distinct.len() / WIDTH + 8),
            speeds: Vec::new(),
            places: vec![None; program.rows.len()],
            divisor: Vec::new(),
            unit: 1.0,
            runnable: distinct.iter().map(|row| f64::from(row.count)).sum(),
        };
        let unit = unit(program, &distinct);
        let mut place_of = vec![0_u32; distinct.len()];
        for alike in order.chunk_by(|a, b| kind(a) == kind(b)) {
            for eight in alike.chunks(WIDTH) {
                let first_place = model.blocks.len() * WIDTH;
                for (lane, row) in eight.iter().enumerate() {
                    place_of[*row as usize] = u32::try_from(first_place + lane).unwrap_or(u32::MAX);
                }
                model.push(program, &distinct, eight, unit);
            }
        }
        for (place, row) in model.places.iter_mut().zip(&of_row) {
            *place = row.map(|row| place_of[row as usize]);
        }
        model.unit = unit;
        for class in &mut model.classes {
            for step in &mut class.steps {
                step.ask /= unit;
            }
        }
        model
    }

    /// How many classes are left.
    #[must_use]
    pub fn width(&self) -> usize {
        self.classes.len()
    }

    /// What one unit of price is in the programme's. A level's prices are per unit of level, summed over all rows.
    #[must_use]
    pub fn money(&self) -> f64 {
        if self.is_level() { self.unit / self.runnable } else { self.unit }
    }

    /// Whether the objective is a level.
    #[must_use]
    pub fn is_level(&self) -> bool {
        self.blocks.first().is_some_and(|block| block.kind == Kind::Level)
    }

    /// Every so many blocks of each kind, with as large a part of the devices.
    #[must_use]
    pub fn sample(&self, every: usize) -> Self {
        let width = self.width();
        let mut sample = self.without_rows();
        let taken = |index: &usize| index % every == every / 2;
        for (index, block) in self.blocks.iter().enumerate().filter(|(index, _)| taken(index)) {
            sample.blocks.push(block.clone());
            sample.speeds.extend_from_slice(&self.speeds[index * width..(index + 1) * width]);
        }
        let devices = |blocks: &[Block]| blocks.iter().map(|block| (block.count * block.gang).sum()).sum::<f64>();
        let part = devices(&sample.blocks) / devices(&self.blocks);
        for class in &mut sample.classes {
            class.free *= part;
            class.steps.iter_mut().for_each(|step| step.devices *= part);
        }
        sample
    }

    fn without_rows(&self) -> Self {
        Self {
            classes: self.classes.clone(),
            blocks: Vec::new(),
            speeds: Vec::new(),
            places: Vec::new(),
            divisor: Vec::new(),
            unit: self.unit,
            runnable: self.runnable,
        }
    }

    fn push(&mut self, program: &Program, distinct: &[Distinct], eight: &[u32], unit: f64) {
        let base = self.speeds.len();
        self.speeds.resize(base + self.classes.len(), Lane::ZERO);
        let (kind, floored) = layout(program, distinct[eight[0] as usize].first as usize);
        let mut block = Block {
            kind,
            floored,
            count: Lane::ZERO,
            gang: Lane::ZERO,
            weight: Lane::all(1.0),
            cost: Lane::all(1.0),
            floor: Lane::ZERO,
        };
        for lane in 0..WIDTH {
            let it = distinct[eight[lane.min(eight.len() - 1)] as usize];
            let index = it.first as usize;
            let row = program.rows[index];
            let speeds = program.speeds_of(index);
            let fastest = self.classes.iter().map(|class| speeds[class.origin]).fold(0.0, f64::max);
            let (weight, divisor, cost) = match row.aim {
                Aim::Log { weight } => (weight / unit, fastest, 1.0),
                Aim::Spend { budget } => (budget / unit, fastest, fastest / unit),
                Aim::Pay => (1.0, unit, 1.0),
                Aim::Level { reference } => (1.0, reference * unit, 1.0),
            };
            block.count.0[lane] = if lane < eight.len() { f64::from(it.count) } else { 0.0 };
            block.gang.0[lane] = row.gang;
            block.weight.0[lane] = weight;
            block.cost.0[lane] = cost;
            block.floor.0[lane] = row.floor / divisor;
            for (class, at) in self.classes.iter().zip(base..) {
                self.speeds[at].0[lane] = speeds[class.origin] / divisor;
            }
            self.divisor.push(divisor);
        }
        self.blocks.push(block);
    }
}

fn layout(program: &Program, row: usize) -> (Kind, bool) {
    let row = program.rows[row];
    let kind = match row.aim {
        Aim::Log { .. } => Kind::Log,
        Aim::Spend { .. } => Kind::Spend,
        Aim::Pay => Kind::Pay,
        Aim::Level { .. } => Kind::Level,
    };
    (kind, row.floor > 0.0)
}

fn classes(program: &Program) -> Vec<Class> {
    let with_devices = (0..program.classes()).filter(|class| program.capacity(*class) > 0.0);
    let used = with_devices.filter(|class| (0..program.rows.len()).any(|row| program.speeds_of(row)[*class] > 0.0));
    used.map(|origin| {
        let supply = &program.supply[origin];
        let steps = supply.steps.iter().copied().filter(|step| step.devices > 0.0).collect();
        Class { origin, free: supply.free, steps }
    })
    .collect()
}

/// What one unit of the model's objective is in the programme's: the mean weight, a typical amount of money, a typical
/// level.
fn unit(program: &Program, distinct: &[Distinct]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for it in distinct {
        let row = it.first as usize;
        let times = f64::from(it.count);
        let fastest = program.speeds_of(row).iter().copied().fold(0.0, f64::max);
        match program.rows[row].aim {
            Aim::Log { weight } => (sum, count) = (sum + times * weight, count + times),
            Aim::Spend { budget } => (sum, count) = (sum + times * budget.min(fastest), count + times),
            Aim::Pay => (sum, count) = (sum + times * fastest, count + times),
            // The harmonic mean: the slowest decide the level.
            Aim::Level { reference } => (sum, count) = (sum + times, count + times * reference / fastest),
        }
    }
    if count > 0.0 && sum > 0.0 { sum / count } else { 1.0 }
}

/// The distinct rows that can run, in order of first appearance, and for each row which of them it is.
fn distinct(program: &Program, classes: &[Class]) -> (Vec<Distinct>, Vec<Option<u32>>) {
    const NONE: u32 = u32::MAX;
    let size = (program.rows.len() * 2 + 2).next_power_of_two();
    let mut table = vec![NONE; size];
    let mut found: Vec<Distinct> = Vec::with_capacity(program.rows.len());
    let of_row = (0..program.rows.len()).map(|row| {
        let speeds = program.speeds_of(row);
        if classes.iter().all(|class| speeds[class.origin] <= 0.0) {
            return None;
        }
        let mut slot = usize::try_from(fingerprint(program, row) & (size as u64 - 1)).unwrap_or(0);
        while table[slot] != NONE {
            let known = &mut found[table[slot] as usize];
            if alike(program, known.first as usize, row) {
                known.count += 1;
                return Some(table[slot]);
            }
            slot = (slot + 1) & (size - 1);
        }
        table[slot] = u32::try_from(found.len()).unwrap_or(NONE);
        found.push(Distinct { first: u32::try_from(row).unwrap_or(NONE), count: 1 });
        Some(table[slot])
    });
    let of_row = of_row.collect();
    (found, of_row)
}

fn alike(program: &Program, a: usize, b: usize) -> bool {
    program.rows[a] == program.rows[b] && program.speeds_of(a) == program.speeds_of(b)
}

fn fingerprint(program: &Program, row: usize) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let it = program.rows[row];
    let aim = match it.aim {
        Aim::Log { weight } => weight,
        Aim::Spend { budget } => budget,
        Aim::Pay => 0.0,
        Aim::Level { reference } => reference,
    };
    let own = [it.gang, it.floor, aim];
    let numbers = own.iter().chain(program.speeds_of(row));
    let mixed = numbers.fold(ODD, |hash, number| (hash ^ number.to_bits()).wrapping_mul(ODD).rotate_left(29));
    mixed ^ (mixed >> 32)
}
