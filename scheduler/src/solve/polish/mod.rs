//! From an iterate near the optimum to the optimum itself, exact up to rounding.
//!
//! Once it is known which classes a row uses, whether its time is full and what its utility answers to, the optimality
//! conditions are equations: each row follows from the prices in closed form (`row`), and Newton's method on the prices
//! and on what indifferent rows take (`system`) ends them in a few steps. A row that then contradicts its part gets another
//! one. Nothing here is trusted: where it does not end, the iterate stays, and the certificate judges whatever comes out.

mod nearby;
mod regime;
mod row;
mod sums;
mod supply;
mod system;

pub use nearby::Optimum;

use super::answer::Point;
use super::interior::lane::WIDTH;
use super::interior::state::State;
use super::model::Model;
use regime::{Face, Regime};
use row::{Response, Row};
use supply::Offers;
use system::{Step, System, Tie};

/// How often parts are looked at and prices moved at most.
const PASSES: u32 = 12;
/// The largest relative change of a price at once.
const LEAP: f64 = 0.1;
/// A relative step after which the next one is rounding.
const SMALL: f64 = 1e-9;
/// Relative rounding that contradicts nothing.
const ROUNDING: f64 = 1e-12;
/// So many changes more than twice the fewest before, and parts get worse instead of better.
const FEW: usize = 4;
/// Product of pairs times rows and classes at which most parts are told apart.
const TOLD_APART: f64 = 0.3;

/// The product of pairs from which on an iterate is worth a try.
pub fn told_apart(model: &Model) -> f64 {
    TOLD_APART / (model.runnable * f64::from(u32::try_from(model.width()).unwrap_or(u32::MAX))).max(1.0)
}

/// A class that an indifferent row uses beside those that its equations determine.
#[derive(Debug, Clone, Copy)]
struct Extra {
    place: usize,
    class: usize,
    part: f64,
}

/// The optimum near an iterate, unless its conditions could not be told apart.
pub fn polish(model: &Model, state: &State) -> Option<Point> {
    if model.is_level() || model.width() > Face::CLASSES_MAX {
        return None;
    }
    let mut work = Work::new(model, state);
    work.converge()?;
    let mut point = Point::of(state);
    work.write(&mut point)?;
    Some(point)
}

/// A row that was visited.
struct Seen<'a> {
    row: Row<'a>,
    response: Response,
    /// Its first extra.
    first: usize,
    /// Whether it has another part now.
    changed: bool,
}

/// What moves: the rows' parts, the prices, and what indifferent rows take.
struct Work<'a> {
    model: &'a Model,
    regimes: Vec<Regime>,
    prices: Vec<f64>,
    offers: Offers,
    extras: Vec<Extra>,
    before: Vec<Extra>,
    system: System,
    /// One row's fractions of time.
    x: Vec<f64>,
}

impl<'a> Work<'a> {
    fn new(model: &'a Model, state: &State) -> Self {
        let width = model.width();
        let prices = state.classes.iter().map(|class| class.price).collect();
        let mut work = Self::blank(model, prices, Offers::new(model, state));
        for place in 0..model.blocks.len() * WIDTH {
            let (row, index, lane) = (Row::of(model, place), place / WIDTH, place % WIDTH);
            let at = |k: usize| index * width + k;
            for (k, x) in work.x.iter_mut().enumerate() {
                *x = state.x[at(k)].0[lane];
            }
            let used = |k: usize| state.x[at(k)].0[lane] > state.z[at(k)].0[lane];
            let regime = row.regime_of(&state.rows[index], lane, used, &work.x);
            work.begin(&row, place, regime);
        }
        work
    }

    /// Without rows yet.
    fn blank(model: &'a Model, mut prices: Vec<f64>, offers: Offers) -> Self {
        let width = model.width();
        for (price, scarce) in prices.iter_mut().zip(&offers.scarce) {
            *price = if *scarce { *price } else { 0.0 };
        }
        Self {
            model,
            regimes: Vec::with_capacity(model.blocks.len() * WIDTH),
            prices,
            offers,
            extras: Vec::new(),
            before: Vec::new(),
            system: System::new(width),
            x: vec![0.0; width],
        }
    }

    /// The next row's first part; its fractions are in `x`.
    fn begin(&mut self, row: &Row<'_>, place: usize, regime: Regime) {
        if row.count > 0.0 {
            self.extras.extend(row.extras(&regime, place, &self.x));
        }
        self.regimes.push(regime);
    }

    /// Newton steps until parts stay and prices stand.
    fn converge(&mut self) -> Option<()> {
        let mut fewest = usize::MAX;
        for _ in 0..PASSES {
            let changes = self.look()?;
            if changes / 2 > fewest.saturating_add(FEW) {
                return None;
            }
            fewest = fewest.min(changes);
            let moved = self.step()?;
            if changes == 0 && moved < SMALL {
                return Some(());
            }
        }
        None
    }

    /// Lets every row answer the prices, corrects the parts that they contradict, and sums up the equations. Returns how many
    /// parts changed.
    fn look(&mut self) -> Option<usize> {
        self.system.clear();
        self.look_at(0..self.regimes.len())
    }

    /// The same for some rows, in their order; the rest of the equations is summed up.
    fn look_at(&mut self, places: impl Iterator<Item = usize>) -> Option<usize> {
        let (mut changes, mut known) = (0, self.anew());
        for place in places {
            let row = Row::of(self.model, place);
            if row.count > 0.0 {
                let seen = self.visit(row, place, &mut known, true)?;
                changes += usize::from(seen.changed);
                self.add(&seen, place);
            }
        }
        Some(changes + self.offers.corrected(self.model, &mut self.prices, &self.system.demand))
    }

    /// Writes down what every row answers.
    fn write(&mut self, point: &mut Point) -> Option<()> {
        let mut known = self.anew();
        for place in 0..self.regimes.len() {
            let row = Row::of(self.model, place);
            if row.count > 0.0 {
                let seen = self.visit(row, place, &mut known, false)?;
                write(point, &seen, place, &self.x);
            }
        }
        point.prices.clone_from(&self.prices);
        Some(())
    }

    /// Extras are gathered again while rows are visited in order; returns how many of those before are passed.
    fn anew(&mut self) -> usize {
        std::mem::swap(&mut self.extras, &mut self.before);
        self.extras.clear();
        0
    }

    /// Lets a row answer the prices, its fractions in `x`, and corrects its part where they contradict it. None where its
    /// equations have no meaning.
    fn visit(&mut self, row: Row<'a>, place: usize, known: &mut usize, correct: bool) -> Option<Seen<'a>> {
        while self.before.get(*known).is_some_and(|extra| extra.place < place) {
            *known += 1;
        }
        let first = self.extras.len();
        self.extras.extend(self.before[*known..].iter().take_while(|extra| extra.place == place));
        let mut response = row.respond(&self.regimes[place], &self.prices, &self.extras[first..], &mut self.x)?;
        let other = if correct { row.corrected(&self.regimes[place], &self.prices, &response, &self.x) } else { None };
        if let Some(regime) = other {
            self.extras.truncate(first);
            self.extras.extend(row.extras(&regime, place, &self.x));
            self.regimes[place] = regime;
            response = row.respond(&regime, &self.prices, &self.extras[first..], &mut self.x)?;
        }
        Some(Seen { row, response, first, changed: other.is_some() })
    }

    /// Adds a row's demand, how it follows the prices, and its ties.
    fn add(&mut self, seen: &Seen<'_>, place: usize) {
        let Seen { row, response, first, .. } = seen;
        let regime = &self.regimes[place];
        for (k, x) in self.x.iter().enumerate() {
            self.system.demand[k] += row.count * row.gang * x;
        }
        self.system.curve(&response.value_by_price, row.count * response.utility_by_value);
        for extra in &self.extras[*first..] {
            let by_price = row.tie_by_price(regime, extra.class);
            let missed = row.reduced_cost(extra.class, &self.prices, response);
            let scale = response.value.abs() * row.speed(extra.class);
            self.system.ties.push(Tie { by_price, missed, scale, part: extra.part, count: row.count });
        }
    }

    /// A Newton step; returns the largest relative change.
    fn step(&mut self) -> Option<f64> {
        let step = self.direction(LEAP)?;
        self.take(&step, 1.0)
    }

    /// The equations solved, no price changing by more than `leap` of itself.
    fn direction(&self, leap: f64) -> Option<Step> {
        let offers = &self.offers;
        let over: Vec<f64> = (0..self.prices.len())
            .map(|k| self.system.demand[k] - self.model.classes[k].free - offers.sold(self.model, k))
            .collect();
        let partial = offers.partial(self.model, &self.prices);
        let asks: Vec<(usize, f64)> = partial.iter().map(|(class, _, missed)| (*class, *missed)).collect();
        self.system.solve(&offers.scarce, &over, &asks, &self.prices, leap)
    }

    /// Goes a part of a step; returns the largest relative change.
    fn take(&mut self, step: &Step, length: f64) -> Option<f64> {
        let partial = self.offers.partial(self.model, &self.prices);
        let largest = self.prices.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let mut moved = 0.0_f64;
        for (price, step) in self.prices.iter_mut().zip(&step.prices) {
            moved = moved.max(length * step.abs() / price.max(1e-3 * largest));
            *price += length * step;
        }
        for (extra, step) in self.extras.iter_mut().zip(&step.extras) {
            moved = moved.max(step.map_or(1.0, |step| length * step.abs()));
            extra.part += length * step.unwrap_or(0.0);
            if step.is_none() {
                self.regimes[extra.place].leave(extra.class);
            }
        }
        let mut stays = step.extras.iter().map(Option::is_some);
        self.extras.retain(|_| stays.next().unwrap_or(true));
        for ((class, at, _), step) in partial.iter().zip(&step.sold) {
            moved = moved.max(length * step.abs() / self.model.classes[*class].steps[*at].devices);
            self.offers.steps[*class][*at].sold += length * step;
        }
        moved.is_finite().then_some(moved)
    }
}

fn write(point: &mut Point, seen: &Seen<'_>, place: usize, x: &[f64]) {
    let Seen { row, response, .. } = seen;
    let (index, lane) = (place / WIDTH, place % WIDTH);
    for (k, x) in x.iter().enumerate() {
        point.x[index * row.speeds.len() + k].0[lane] = x.max(0.0);
    }
    point.value[index].0[lane] = response.value - response.subsidy;
    point.subsidy[index].0[lane] = response.subsidy;
    point.cash[index].0[lane] = response.cash.max(0.0);
}
