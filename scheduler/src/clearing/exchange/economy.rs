//! Buyers, bidders and sellers as one programme (Eisenberg and Gale, with money that may be kept, limits and asks), in currency
//! units per hour.
//!
//! At its optimum, as far as it is proved: a seller below a class's price is sold out and none sells below its ask; a bid that
//! runs offers at least the price, one that is wholly out at most; a buyer spends its rate unless its time is full or its limit
//! stops it. A floor that binds pays a subsidy. Nothing here knows of whole gangs.

use crate::plan::exchanged::Outcome;
use crate::solve::{Aim, Answer, Program, Row, SolveError, Step, Supply, solve};

/// A job that spends at a rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Buyer {
    /// What it would spend in an hour, positive.
    pub rate: f64,
    /// What an hour of its whole gang on each class is worth to it; 0 where it cannot run.
    pub worth: Vec<f64>,
    /// Devices of its gang.
    pub gang: f64,
    /// The least worth per hour that it must get; 0 for none.
    pub floor: f64,
}

/// A bid with one limit for several classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Bidder {
    /// The most it pays for a device and hour.
    pub limit: f64,
    /// Whether it accepts each class.
    pub accepts: Vec<bool>,
    /// Devices of its gang.
    pub gang: f64,
}

/// All of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Economy {
    /// Jobs: the first rows of the programme.
    pub buyers: Vec<Buyer>,
    /// Bids: the rows after them.
    pub bidders: Vec<Bidder>,
    /// The devices of each class, by ask.
    pub asks: Vec<Vec<Step>>,
}

impl Economy {
    /// The programme.
    #[must_use]
    pub fn program(&self) -> Program {
        let buyers =
            self.buyers.iter().map(|it| Row { aim: Aim::Spend { budget: it.rate }, gang: it.gang, floor: it.floor });
        let bidders = self.bidders.iter().map(|it| Row { aim: Aim::Pay, gang: it.gang, floor: 0.0 });
        let worths = self.buyers.iter().flat_map(|it| it.worth.iter().copied());
        let limits = self.bidders.iter().flat_map(|it| {
            let worth = it.limit * it.gang;
            it.accepts.iter().map(move |accepts| if *accepts { worth } else { 0.0 })
        });
        Program {
            rows: buyers.chain(bidders).collect(),
            speeds: worths.chain(limits).collect(),
            supply: self.asks.iter().map(|steps| Supply { free: 0.0, steps: steps.clone() }).collect(),
        }
    }

    /// Clears it; where floors ask for more than there is, without them.
    ///
    /// # Errors
    /// No answer could be proved.
    pub fn clear(&self) -> Result<Cleared, SolveError> {
        let mut program = self.program();
        if let Ok(answer) = solve(&program) {
            return Ok(Cleared { answer, outcome: Outcome::Cleared });
        }
        program.rows.iter_mut().for_each(|row| row.floor = 0.0);
        Ok(Cleared { answer: solve(&program)?, outcome: Outcome::WithoutFloors })
    }
}

/// A proved answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Cleared {
    /// The answer: buyers' rows, then bidders'.
    pub answer: Answer,
    /// Whether floors are part of it.
    pub outcome: Outcome,
}

impl Cleared {
    /// What a buyer's floor costs in an hour beyond what it would pay itself.
    #[must_use]
    pub fn subsidy(&self, buyer: usize) -> f64 {
        self.answer.subsidies[buyer] * self.answer.rates[buyer]
    }

    /// By how much more an hour would be worth to a buyer with another's devices, as many of them as its own rate buys at these
    /// prices and as fit into the hour; 0 where it prefers its own, and the money that it keeps, to all others'.
    #[must_use]
    pub fn envy(&self, economy: &Economy, buyer: usize) -> f64 {
        let (classes, own) = (economy.asks.len(), &economy.buyers[buyer]);
        let worth_of = |other: usize| {
            let row = &self.answer.x[other * classes..(other + 1) * classes];
            let cost: f64 = row.iter().zip(&self.answer.prices).map(|(x, price)| own.gang * price * x).sum();
            let buys = own.rate / cost.max(f64::MIN_POSITIVE);
            let fits = 1.0 / row.iter().sum::<f64>().max(f64::MIN_POSITIVE);
            row.iter().zip(&own.worth).map(|(x, worth)| x * worth).sum::<f64>() * buys.min(fits)
        };
        let most = (0..economy.buyers.len()).map(worth_of).fold(0.0, f64::max);
        let has = self.answer.rates[buyer] + self.answer.cash[buyer];
        (most / has.max(f64::MIN_POSITIVE) - 1.0).max(0.0)
    }
}
