//! A row's numbers, the part that it plays, and what it then does at given prices.

use super::regime::{Base, Face, Regime, Turn, Wants};
use super::{Extra, ROUNDING};
use crate::solve::interior::lane::{Lane, WIDTH};
use crate::solve::interior::state::{Pair, RowState};
use crate::solve::model::{Block, Kind, Model};

/// A row's numbers.
pub struct Row<'a> {
    /// By class, for eight rows.
    pub speeds: &'a [Lane],
    lane: usize,
    kind: Kind,
    floored: bool,
    /// How many rows it stands for.
    pub count: f64,
    /// Devices.
    pub gang: f64,
    /// Of its logarithm.
    pub weight: f64,
    cost: f64,
    floor: f64,
}

/// What a row does at given prices.
pub struct Response {
    /// Marginal value of its utility, subsidy included.
    pub value: f64,
    /// What of it is the floor's.
    pub subsidy: f64,
    /// Price of its time.
    pub time: f64,
    /// Money kept.
    pub cash: f64,
    /// How the value follows the prices of up to two classes.
    pub value_by_price: [(usize, f64); 2],
    /// How the utility follows the value.
    pub utility_by_value: f64,
    utility: f64,
}

impl<'a> Row<'a> {
    /// The row at a place.
    pub fn of(model: &'a Model, place: usize) -> Self {
        let (index, lane, width) = (place / WIDTH, place % WIDTH, model.width());
        let block: &Block = &model.blocks[index];
        Self {
            speeds: &model.speeds[index * width..(index + 1) * width],
            lane,
            kind: block.kind,
            floored: block.floored && block.floor.0[lane] > 0.0,
            count: block.count.0[lane],
            gang: block.gang.0[lane],
            weight: block.weight.0[lane],
            cost: block.cost.0[lane],
            floor: block.floor.0[lane],
        }
    }

    /// Its speed on a class.
    pub fn speed(&self, class: usize) -> f64 {
        self.speeds[class].0[self.lane]
    }

    /// The part that an iterate suggests: of each pair the larger number stays.
    pub fn regime_of(&self, state: &RowState, lane: usize, used: impl Fn(usize) -> bool, x: &[f64]) -> Regime {
        let slack = |pair: &Pair| pair.slack.0[lane] > pair.price.0[lane];
        let mut face = Face::NONE;
        for class in 0..self.speeds.len() {
            if self.speed(class) > 0.0 && used(class) {
                face = face.with(class);
            }
        }
        let keeps = self.kind == Kind::Pay || (self.kind == Kind::Spend && slack(&state.cash));
        let wants = match () {
            () if self.floored && !slack(&state.floor) => Wants::Floor,
            () if keeps => Wants::Money,
            () => Wants::Share,
        };
        self.settled(face, !slack(&state.time), wants, x)
    }

    /// The part that prices and the row's fractions of time suggest: of each pair the larger number stays.
    pub fn regime_at(&self, prices: &[f64], x: &[f64]) -> Regime {
        let classes = || (0..self.speeds.len()).filter(|class| self.speed(*class) > 0.0);
        let value = self.value_at(classes().map(|class| self.speed(class) * x[class]).sum());
        let gain = |class: usize| value * self.speed(class) - self.gang * prices[class];
        let time = classes().map(gain).fold(0.0, f64::max);
        let used = classes().filter(|class| x[*class] > time - gain(*class));
        let face = used.fold(Face::NONE, Face::with);
        self.settled(face, time > 1.0 - x.iter().sum::<f64>(), Wants::Share, x)
    }

    /// Chooses which classes follow from the row's own equations.
    fn settled(&self, mut face: Face, full: bool, wants: Wants, x: &[f64]) -> Regime {
        let by_part = |a: &usize, b: &usize| x[*a].total_cmp(&x[*b]).then(b.cmp(a));
        if face.len() == 0 && (full || wants != Wants::Money) {
            let usable = (0..self.speeds.len()).filter(|class| self.speed(*class) > 0.0);
            face = usable.max_by(by_part).map_or(face, |class| face.with(class));
        }
        let first = face.classes().max_by(by_part);
        let base = match first {
            None => Base::None,
            Some(_) if !full && wants == Wants::Money => Base::None,
            Some(first) if !full => Base::Part(first),
            Some(first) if wants == Wants::Money || face.len() == 1 => Base::Whole(first),
            Some(first) => {
                let apart = |class: &usize| x[*class].max(1e-9) * (self.speed(*class) - self.speed(first)).abs();
                let others = face.classes().filter(|class| *class != first);
                let second = others.max_by(|a, b| apart(a).total_cmp(&apart(b)).then(b.cmp(a))).unwrap_or(first);
                Base::Two(first, second)
            }
        };
        Regime { face, full, wants, base }
    }

    /// The classes beyond the base, with what the row takes of them now.
    pub fn extras<'b>(&self, regime: &Regime, place: usize, x: &'b [f64]) -> impl Iterator<Item = Extra> + use<'b> {
        let base = regime.base;
        let beyond = move |class: &usize| match base {
            Base::None => true,
            Base::Part(first) | Base::Whole(first) => *class != first,
            Base::Two(first, second) => *class != first && *class != second,
        };
        regime.face.classes().filter(beyond).map(move |class| Extra { place, class, part: x[class].max(0.0) })
    }

    /// What the row does; its fractions go to `x`. None where its equations have no meaning.
    pub fn respond(&self, regime: &Regime, prices: &[f64], extras: &[Extra], x: &mut [f64]) -> Option<Response> {
        x.fill(0.0);
        let (mut time_left, mut taken) = (1.0, 0.0);
        for extra in extras {
            x[extra.class] = extra.part;
            time_left -= extra.part;
            taken += self.speed(extra.class) * extra.part;
        }
        let mut by_price = [(0, 0.0); 2];
        let whole = if regime.wants == Wants::Money { self.own_value() } else { f64::NAN };
        let value = match regime.base {
            Base::None => whole,
            Base::Part(first) => {
                by_price[0] = (first, self.gang / self.speed(first));
                by_price[0].1 * prices[first]
            }
            Base::Whole(first) => match regime.wants {
                Wants::Money => whole,
                Wants::Share => self.weight / self.speed(first),
                Wants::Floor => return None,
            },
            Base::Two(first, second) => {
                let slope = self.gang / (self.speed(first) - self.speed(second));
                by_price = [(first, slope), (second, -slope)];
                slope * (prices[first] - prices[second])
            }
        };
        let (wanted, utility_by_value) = match regime.wants {
            Wants::Share => (self.weight / value, -self.weight / (value * value)),
            Wants::Floor => (self.floor, 0.0),
            Wants::Money => (0.0, 0.0),
        };
        match regime.base {
            Base::None => {}
            Base::Part(first) => x[first] = (wanted - taken) / self.speed(first),
            Base::Whole(first) => x[first] = time_left,
            Base::Two(first, second) => {
                let (fast, slow) = (self.speed(first), self.speed(second));
                x[first] = (wanted - taken - slow * time_left) / (fast - slow);
                x[second] = time_left - x[first];
            }
        }
        let utility: f64 = x.iter().enumerate().map(|(class, x)| self.speed(class) * x).sum();
        let time = match regime.base {
            Base::Whole(first) | Base::Two(first, _) => value * self.speed(first) - self.gang * prices[first],
            Base::None | Base::Part(_) => 0.0,
        };
        let varies = !matches!(regime.base, Base::None | Base::Whole(_));
        let utility_by_value = if varies { utility_by_value } else { 0.0 };
        let own = if regime.wants == Wants::Floor { self.value_at(utility) } else { value };
        let cash = if self.kind == Kind::Spend { (self.weight / self.cost - utility).max(-1e300) } else { 0.0 };
        let response = Response {
            value,
            subsidy: value - own,
            time,
            cash: if regime.wants == Wants::Share { 0.0 } else { cash },
            value_by_price: by_price,
            utility_by_value,
            utility,
        };
        (value.is_finite() && utility.is_finite()).then_some(response)
    }

    /// The value of money kept, or of a bid.
    fn own_value(&self) -> f64 {
        if self.kind == Kind::Spend { self.cost } else { 1.0 }
    }

    /// The marginal value at a utility, without a subsidy.
    fn value_at(&self, utility: f64) -> f64 {
        match self.kind {
            Kind::Log => self.weight / utility,
            Kind::Spend => (self.weight / utility).min(self.cost),
            Kind::Pay | Kind::Level => 1.0,
        }
    }

    /// What a class costs the row beyond its worth: 0 where it is indifferent.
    pub fn reduced_cost(&self, class: usize, prices: &[f64], response: &Response) -> f64 {
        self.gang * prices[class] + response.time - response.value * self.speed(class)
    }

    /// How the reduced cost of a class beyond the base follows the prices; what its fraction displaces, too.
    pub fn tie_by_price(&self, regime: &Regime, class: usize) -> [(usize, f64); 3] {
        let own = (class, self.gang);
        match regime.base {
            Base::None => [own, (class, 0.0), (class, 0.0)],
            Base::Part(first) => [own, (first, -self.gang * self.speed(class) / self.speed(first)), (class, 0.0)],
            Base::Whole(first) => [own, (first, -self.gang), (class, 0.0)],
            Base::Two(first, second) => {
                let (fast, slow) = (self.speed(first), self.speed(second));
                let part = (self.speed(class) - slow) / (fast - slow);
                [own, (first, -self.gang * part), (second, -self.gang * (1.0 - part))]
            }
        }
    }

    /// Another part, where prices and fractions contradict this one.
    pub fn corrected(&self, regime: &Regime, prices: &[f64], now: &Response, x: &[f64]) -> Option<Regime> {
        let (mut face, mut full, mut wants) = (regime.face, regime.full, regime.wants);
        let unit = now.value.abs().max(f64::MIN_POSITIVE);
        for class in 0..self.speeds.len() {
            let speed = self.speed(class);
            if face.has(class) && x[class] < -ROUNDING {
                face = face.without(class);
            } else if !face.has(class) && speed > 0.0 {
                let scale = self.gang * prices[class] + now.time.abs() + unit * speed;
                if self.reduced_cost(class, prices, now) < -ROUNDING * scale {
                    face = face.with(class);
                }
            }
        }
        if let Base::Two(first, second) = regime.base
            && now.value <= 0.0
        {
            let slower = if self.speed(first) < self.speed(second) { first } else { second };
            face = face.without(slower);
        }
        if full && now.time < -ROUNDING * unit {
            full = false;
            if wants != Wants::Money {
                let unit_cost = |class: &usize| self.gang * prices[*class] / self.speed(*class);
                let cheapest = face.classes().min_by(|a, b| unit_cost(a).total_cmp(&unit_cost(b)));
                face = cheapest.map_or(face, |class| Face::NONE.with(class));
            }
        } else if !full && x.iter().sum::<f64>() > 1.0 + ROUNDING {
            full = true;
        }
        wants = match wants {
            Wants::Share if self.kind == Kind::Spend && now.value > self.cost * (1.0 + ROUNDING) => Wants::Money,
            Wants::Money if self.kind == Kind::Spend && now.cash < -ROUNDING * self.weight / self.cost => Wants::Share,
            Wants::Floor if now.subsidy < -ROUNDING * unit => self.without_floor(),
            Wants::Share | Wants::Money if self.floored && now.utility < self.floor * (1.0 - ROUNDING) => Wants::Floor,
            same => same,
        };
        let same = face == regime.face && full == regime.full && wants == regime.wants;
        (!same).then(|| self.settled(face, full, wants, x))
    }

    /// By how much the row keeps from contradicting its part, in each way that a row with a share can: below 0 where it does.
    pub fn margins(&self, regime: &Regime, prices: &[f64], now: &Response, x: &[f64], out: &mut Vec<(Turn, f64)>) {
        let mut busy = 0.0;
        for (class, x) in x.iter().enumerate() {
            let speed = self.speed(class);
            busy += x;
            if regime.face.has(class) {
                out.push((Turn::Leave(class), *x));
            } else if speed > 0.0 {
                let scale = self.gang * prices[class] + now.time.abs() + now.value.abs() * speed;
                out.push((Turn::Use(class), self.reduced_cost(class, prices, now) / scale));
            }
        }
        out.push(if regime.full { (Turn::Idle, now.time / now.value) } else { (Turn::Full, 1.0 - busy) });
    }

    /// The part on the other side of a contradiction, where both hold.
    pub fn turned(&self, regime: &Regime, turn: Turn, x: &[f64]) -> Regime {
        let (mut face, mut full) = (regime.face, regime.full);
        match turn {
            Turn::Use(class) => face = face.with(class),
            Turn::Leave(class) => face = face.without(class),
            Turn::Idle => full = false,
            Turn::Full => full = true,
        }
        self.settled(face, full, regime.wants, x)
    }

    fn without_floor(&self) -> Wants {
        match self.kind {
            Kind::Pay => Wants::Money,
            Kind::Spend if self.weight / self.floor > self.cost => Wants::Money,
            Kind::Spend | Kind::Log | Kind::Level => Wants::Share,
        }
    }
}
