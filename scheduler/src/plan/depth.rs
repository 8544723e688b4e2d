//! The book of each class in bands of price, wide enough that no band gives a single bid away where there are many.

use super::{Band, Depth};
use crate::gang::seating::Seating;
use crate::plan::Why;
use std::collections::BTreeMap;

/// Most bands on either side.
const MOST_BANDS: usize = 32;
/// The narrowest band: one hundredth of a currency unit.
const NARROWEST: i64 = 10_000;

/// The depth of every class, in order of class.
pub(super) fn depths(seating: &Seating<'_>) -> Vec<Depth> {
    let mut wanted = vec![BTreeMap::<i64, i64>::new(); seating.board.classes.len()];
    for claim in seating.queue.iter().filter(|claim| claim.right == Why::Market) {
        for choice in &claim.choices {
            *wanted[choice.class].entry(claim.ceiling).or_insert(0) += i64::try_from(claim.gang).unwrap_or(0);
        }
    }
    let mut offered = vec![BTreeMap::<i64, i64>::new(); seating.board.classes.len()];
    for bucket in seating.board.buckets.iter() {
        if let Some(ask) = bucket.ask {
            *offered[bucket.class].entry(ask.floor.micros()).or_insert(0) +=
                i64::try_from(bucket.reachable).unwrap_or(0);
        }
    }
    let books = seating.board.classes.iter().zip(wanted.iter().zip(&offered));
    books
        .map(|(class, (wanted, offered))| {
            let step = step_for(wanted).max(step_for(offered));
            let bids = banded(wanted, step).into_iter().rev().collect();
            Depth { class: (*class).clone(), step, bids, asks: banded(offered, step) }
        })
        .collect()
}

/// The narrowest doubling of a hundredth that needs no more than the allowed bands.
fn step_for(book: &BTreeMap<i64, i64>) -> i64 {
    let mut step = NARROWEST;
    while banded(book, step).len() > MOST_BANDS {
        step = step.saturating_mul(2);
    }
    step
}

/// Devices by price rounded down to a band, lowest first.
fn banded(book: &BTreeMap<i64, i64>, step: i64) -> Vec<Band> {
    let mut bands = BTreeMap::<i64, i64>::new();
    for (price, devices) in book {
        *bands.entry(price - price.rem_euclid(step)).or_insert(0) += devices;
    }
    let count = |devices: i64| i32::try_from(devices).unwrap_or(i32::MAX);
    bands.into_iter().map(|(price, devices)| Band { price, devices: count(devices) }).collect()
}
