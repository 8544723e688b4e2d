//! From one optimum to that of the same rows but one: prices move by little, and most parts stay.
//!
//! Rows far from having another part are added up once (`sums`); the few others are watched. Newton steps on the prices end
//! where the first of those would contradict its part: it gets the one on the other side, which both hold there, and so on
//! along the path from the demand that is too little to the one that is right. Where the path ends, one survey of all rows
//! corrects parts, adds up anew and writes the answers down.

use super::regime::{Face, Regime, Turn};
use super::row::Row;
use super::sums::Sums;
use super::supply::Offers;
use super::system::Step;
use super::{Extra, PASSES, ROUNDING, SMALL, Work, write};
use crate::solve::answer::Point;
use crate::solve::interior::lane::WIDTH;
use crate::solve::model::Model;

/// Turns on one path at most.
const TURNS: u32 = 200;
/// Rows that are watched, per class.
const WATCHED: usize = 8;

/// The optimum of a product of rates: shares without floors, devices that cost nothing.
#[derive(Debug)]
pub struct Optimum {
    regimes: Vec<Regime>,
    prices: Vec<f64>,
    offers: Offers,
    extras: Vec<Extra>,
    /// By place whether the row is watched.
    watched: Vec<bool>,
    /// The others.
    sums: Sums,
}

impl Optimum {
    /// At an answer's prices and fractions, unless its parts cannot be told apart.
    pub fn at(model: &Model, point: &Point) -> Option<Self> {
        if model.width() > Face::CLASSES_MAX {
            return None;
        }
        let mut work = Work::at(model, point);
        work.converge()?;
        let mut watched = work.closest()?;
        let mut sums = Sums::new(&work.prices);
        let changes = work.survey(&mut watched, &mut sums, &mut Point::blank(model))?;
        let Work { regimes, prices, offers, extras, .. } = work;
        (changes == 0).then_some(Self { regimes, prices, offers, extras, watched, sums })
    }

    /// The optimum of the model, which has one row less at this place than the one that this is the optimum of.
    pub fn without(&self, model: &Model, place: usize) -> Option<Point> {
        let mut work = Work::blank(model, self.prices.clone(), self.offers.clone());
        work.regimes.clone_from(&self.regimes);
        work.extras.clone_from(&self.extras);
        let (mut watched, mut sums) = (self.watched.clone(), self.sums.clone());
        if !watched[place] {
            let row = Row::of(model, place);
            row.respond(&self.regimes[place], &self.prices, &[], &mut work.x)?;
            sums.add(&row, &self.regimes[place], &work.x, -1.0);
        }
        let mut point = Point::blank(model);
        for _ in 0..PASSES {
            work.settle(&sums, &watched)?;
            sums = Sums::new(&work.prices);
            if work.survey(&mut watched, &mut sums, &mut point)? == 0 {
                point.prices.clone_from(&work.prices);
                return Some(point);
            }
        }
        None
    }
}

impl<'a> Work<'a> {
    /// With the parts that prices and fractions suggest.
    fn at(model: &'a Model, point: &Point) -> Self {
        let width = model.width();
        let mut demand = vec![0.0; width];
        for (index, block) in model.blocks.iter().enumerate() {
            for (k, demand) in demand.iter_mut().enumerate() {
                *demand += (block.count * block.gang * point.x[index * width + k]).sum();
            }
        }
        let offers = Offers::of_free(model, &point.prices, &demand);
        let mut work = Self::blank(model, point.prices.clone(), offers);
        for place in 0..model.blocks.len() * WIDTH {
            let row = Row::of(model, place);
            for (k, x) in work.x.iter_mut().enumerate() {
                *x = point.x[place / WIDTH * width + k].0[place % WIDTH];
            }
            let regime = row.regime_at(&point.prices, &work.x);
            work.begin(&row, place, regime);
        }
        work
    }

    /// Newton steps, each up to where the first of the watched rows would contradict its part; there it gets the other one.
    fn settle(&mut self, sums: &Sums, watched: &[bool]) -> Option<()> {
        let watched: Vec<usize> = (0..watched.len()).filter(|place| watched[*place]).collect();
        let (mut spans, mut now, mut then) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..TURNS {
            self.system.clear();
            sums.add_to(&mut self.system, &self.prices);
            spans.clear();
            now.clear();
            let mut known = self.anew();
            for place in &watched {
                let row = Row::of(self.model, *place);
                if row.count > 0.0 {
                    let seen = self.visit(row, *place, &mut known, false)?;
                    self.add(&seen, *place);
                    seen.row.margins(&self.regimes[*place], &self.prices, &seen.response, &self.x, &mut now);
                    spans.push((*place, seen.first, self.extras.len(), now.len()));
                }
            }
            let changes = self.offers.corrected(self.model, &mut self.prices, &self.system.demand);
            let step = self.direction(f64::INFINITY)?;
            let (length, turn) = self.first_turn(&step, &spans, &now, &mut then)?;
            let moved = self.take(&step, length)?;
            match turn {
                Some((place, turn)) => self.turn(place, turn)?,
                None if changes == 0 && moved < SMALL => return Some(()),
                None => {}
            }
        }
        None
    }

    /// How far a step goes until the first watched row would contradict its part, and which turn that is.
    fn first_turn(
        &mut self,
        step: &Step,
        spans: &[(usize, usize, usize, usize)],
        now: &[(Turn, f64)],
        then: &mut Vec<(Turn, f64)>,
    ) -> Option<(f64, Option<(usize, Turn)>)> {
        let prices: Vec<f64> = self.prices.iter().zip(&step.prices).map(|(price, step)| price + step).collect();
        let moved = self.extras.iter().zip(&step.extras);
        let extras: Vec<Extra> =
            moved.map(|(extra, step)| Extra { part: extra.part + step.unwrap_or(0.0), ..*extra }).collect();
        let (mut length, mut first, mut from) = (1.0, None, 0);
        for (place, begin, end, to) in spans {
            let (row, regime) = (Row::of(self.model, *place), &self.regimes[*place]);
            let response = row.respond(regime, &prices, &extras[*begin..*end], &mut self.x)?;
            then.clear();
            row.margins(regime, &prices, &response, &self.x, then);
            for ((turn, before), (_, after)) in now[from..*to].iter().zip(then.iter()) {
                let before = before.max(0.0);
                if *after < -ROUNDING && before < length * (before - after) {
                    (length, first) = (before / (before - after), Some((*place, *turn)));
                }
            }
            from = *to;
        }
        Some((length, first))
    }

    /// Gives a row the part on the other side.
    fn turn(&mut self, place: usize, turn: Turn) -> Option<()> {
        let row = Row::of(self.model, place);
        let first = self.extras.partition_point(|extra| extra.place < place);
        let end = self.extras.partition_point(|extra| extra.place <= place);
        row.respond(&self.regimes[place], &self.prices, &self.extras[first..end], &mut self.x)?;
        let regime = row.turned(&self.regimes[place], turn, &self.x);
        self.extras.splice(first..end, row.extras(&regime, place, &self.x));
        self.regimes[place] = regime;
        Some(())
    }

    /// By place, the rows with extras and those that are nearest to another part.
    fn closest(&mut self) -> Option<Vec<bool>> {
        let mut near: Vec<(f64, usize)> = Vec::with_capacity(self.regimes.len());
        let (mut known, mut margins) = (self.anew(), Vec::new());
        for place in 0..self.regimes.len() {
            let row = Row::of(self.model, place);
            if row.count > 0.0 {
                let seen = self.visit(row, place, &mut known, false)?;
                margins.clear();
                seen.row.margins(&self.regimes[place], &self.prices, &seen.response, &self.x, &mut margins);
                let least = margins.iter().map(|(_, margin)| *margin).fold(f64::INFINITY, f64::min);
                near.push((if seen.first < self.extras.len() { f64::NEG_INFINITY } else { least }, place));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut watched = vec![false; self.regimes.len()];
        for (at, (margin, place)) in near.into_iter().enumerate() {
            watched[place] = at < WATCHED * self.prices.len() || margin == f64::NEG_INFINITY;
        }
        Some(watched)
    }

    /// Lets every row answer and corrects its part, adds up those that are not watched and writes all down; whose part changed
    /// is watched from now on. Returns how many changed: unless none did, what is written is worth nothing.
    fn survey(&mut self, watched: &mut [bool], sums: &mut Sums, point: &mut Point) -> Option<usize> {
        let (mut changes, mut known) = (0, self.anew());
        for (place, watched) in watched.iter_mut().enumerate() {
            let row = Row::of(self.model, place);
            if row.count > 0.0 {
                let seen = self.visit(row, place, &mut known, true)?;
                changes += usize::from(seen.changed);
                *watched |= seen.changed;
                write(point, &seen, place, &self.x);
                if !*watched {
                    sums.add(&seen.row, &self.regimes[place], &self.x, seen.row.count);
                }
            }
        }
        Some(changes)
    }
}
