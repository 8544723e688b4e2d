//! Clarabel behind the interior point: slower and general. Its answer is unfolded and judged like any other.

use super::answer::{Answer, Point, Solver};
use super::certificate::Certificate;
use super::conic;
use super::interior::lane::WIDTH;
use super::model::{Block, Kind, Model};
use super::program::Program;
use clarabel::solver::SupportedConeT;
use clarabel::solver::SupportedConeT::{ExponentialConeT, NonnegativeConeT};

/// Its answer, with what the certificate says of it. `steps` counts those that were taken before.
pub fn solve(program: &Program, model: &Model, steps: u32) -> Answer {
    let form = Form::of(model);
    let mut answer = match conic::solve(&form.gains, &form.entries, &form.limits, &form.cones) {
        Ok(found) => {
            let point = form.point(model, &found.x, &found.z);
            Answer::from_point(program, model, &point, steps.saturating_add(found.iterations))
        }
        Err(_) => Answer::empty(program, Solver::Clarabel, steps),
    };
    answer.solver = Solver::Clarabel;
    answer.certificate = Certificate::of(program, &answer);
    answer
}

/// The model as `maximise gains . y`, `limits - matrix y` in cones.
#[derive(Debug, Default)]
struct Form {
    gains: Vec<f64>,
    entries: Vec<(usize, usize, f64)>,
    limits: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
    /// Column of each `x`, by block, class and lane.
    x: Vec<[Option<usize>; WIDTH]>,
    /// Column of the money kept, by place.
    cash: Vec<Option<usize>>,
    /// Row whose dual is the marginal value of the utility, or of the floor, by place.
    value: Vec<Option<usize>>,
    floor: Vec<Option<usize>>,
}

impl Form {
    fn of(model: &Model) -> Self {
        let mut form = Self::default();
        let level = model.is_level().then(|| form.column(model.runnable));
        for _ in 0..model.width() {
            form.row(0.0);
        }
        form.supply(model);
        for index in 0..model.blocks.len() {
            form.block(model, index, level);
        }
        form.cones.push(NonnegativeConeT(form.limits.len()));
        form.logarithms(model);
        form
    }

    fn column(&mut self, gain: f64) -> usize {
        self.gains.push(gain);
        self.gains.len() - 1
    }

    fn row(&mut self, limit: f64) -> usize {
        self.limits.push(limit);
        self.limits.len() - 1
    }

    fn at_least_zero(&mut self, column: usize) {
        let row = self.row(0.0);
        self.entries.push((row, column, -1.0));
    }

    /// The classes' rows come first.
    fn supply(&mut self, model: &Model) {
        for (k, class) in model.classes.iter().enumerate() {
            self.limits[k] = class.free;
            for step in &class.steps {
                let sold = self.column(-step.ask);
                self.entries.push((k, sold, -1.0));
                self.at_least_zero(sold);
                let most = self.row(step.devices);
                self.entries.push((most, sold, 1.0));
            }
        }
    }

    fn block(&mut self, model: &Model, index: usize, level: Option<usize>) {
        let (width, block) = (model.width(), &model.blocks[index]);
        self.x.extend((0..width).map(|_| [None; WIDTH]));
        for lane in 0..WIDTH {
            let (mut cash, mut value, mut floor) = (None, None, None);
            if block.count.0[lane] > 0.0 {
                self.times(model, index, lane);
                cash = (block.kind == Kind::Spend).then(|| self.kept(block, lane));
                if let Some(level) = level {
                    let row = self.utility(model, index, lane, 0.0);
                    self.entries.push((row, level, 1.0));
                    value = Some(row);
                }
                floor = (block.floor.0[lane] > 0.0).then(|| self.utility(model, index, lane, -block.floor.0[lane]));
            }
            self.cash.push(cash);
            self.value.push(value);
            self.floor.push(floor);
        }
    }

    /// A row's fractions of time.
    fn times(&mut self, model: &Model, index: usize, lane: usize) {
        let (width, block) = (model.width(), &model.blocks[index]);
        let time = self.row(1.0);
        for k in 0..width {
            let speed = model.speeds[index * width + k].0[lane];
            if speed <= 0.0 {
                continue;
            }
            let gain = if block.kind == Kind::Pay { block.count.0[lane] * speed } else { 0.0 };
            let x = self.column(gain);
            self.x[index * width + k][lane] = Some(x);
            self.entries.push((time, x, 1.0));
            self.entries.push((k, x, block.count.0[lane] * block.gang.0[lane]));
            self.at_least_zero(x);
        }
    }

    fn kept(&mut self, block: &Block, lane: usize) -> usize {
        let cash = self.column(-block.count.0[lane] * block.cost.0[lane]);
        self.at_least_zero(cash);
        cash
    }

    /// A row `limit + utility`.
    fn utility(&mut self, model: &Model, index: usize, lane: usize, limit: f64) -> usize {
        let row = self.row(limit);
        for k in 0..model.width() {
            let at = index * model.width() + k;
            if let Some(x) = self.x[at][lane] {
                self.entries.push((row, x, -model.speeds[at].0[lane]));
            }
        }
        row
    }

    /// `(ln u, 1, u)` for every row with a logarithm.
    fn logarithms(&mut self, model: &Model) {
        for (index, block) in model.blocks.iter().enumerate() {
            if !matches!(block.kind, Kind::Log | Kind::Spend) {
                continue;
            }
            for lane in 0..WIDTH {
                if block.count.0[lane] <= 0.0 {
                    continue;
                }
                let place = index * WIDTH + lane;
                let logarithm = self.column(block.count.0[lane] * block.weight.0[lane]);
                let row = self.row(0.0);
                self.entries.push((row, logarithm, -1.0));
                self.row(1.0);
                let utility = self.utility(model, index, lane, 0.0);
                if let Some(cash) = self.cash[place] {
                    self.entries.push((utility, cash, -1.0));
                }
                self.value[place] = Some(utility);
                self.cones.push(ExponentialConeT());
            }
        }
    }

    /// Its numbers in the model's places.
    fn point(&self, model: &Model, found: &[f64], duals: &[f64]) -> Point {
        let mut point = Point::blank(model);
        for (price, dual) in point.prices.iter_mut().zip(duals) {
            *price = dual.max(0.0);
        }
        for (at, columns) in self.x.iter().enumerate() {
            for (lane, column) in columns.iter().enumerate() {
                point.x[at].0[lane] = column.map_or(0.0, |column| found[column].max(0.0));
            }
        }
        for (index, block) in model.blocks.iter().enumerate() {
            for lane in 0..WIDTH {
                let place = index * WIDTH + lane;
                let count = block.count.0[lane];
                let dual = |row: Option<usize>| row.map_or(0.0, |row| duals[row].max(0.0) / count);
                point.value[index].0[lane] = if block.kind == Kind::Pay { 1.0 } else { dual(self.value[place]) };
                point.subsidy[index].0[lane] = dual(self.floor[place]);
                point.cash[index].0[lane] = self.cash[place].map_or(0.0, |column| found[column].max(0.0));
            }
        }
        point
    }
}
