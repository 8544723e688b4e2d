//! Buyers, bidders and sellers as one programme (Eisenberg and Gale, with money that may be kept, limits and asks), in currency
//! units per hour.
//!
//! At its optimum, as far as it is proved: a seller below a class's price is sold out and none sells below its ask; a bid that
//! runs offers at least the price, one that is wholly out at most; a buyer spends its rate unless its time is full or its limit
//! stops it. A floor that binds pays a subsidy. Nothing here knows of whole gangs.

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
    pub fn clear(&self) -> Result<Answer, SolveError> {
        let mut program = self.program();
        solve(&program).or_else(|_| {
            program.rows.iter_mut().for_each(|row| row.floor = 0.0);
            solve(&program)
        })
    }
}
