//! Equal shares at this instant: each free GPU goes to whoever holds fewest. No memory, so nothing is made good later.

use super::{Granted, Rule, View};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The rule.
#[derive(Debug, Clone, Copy)]
pub struct EqualShare;

impl Rule for EqualShare {
    fn grant(&self, view: &View<'_>) -> Granted {
        let mut given = vec![0; view.active.len()];
        let places = view.active.iter().enumerate().filter(|(_, active)| active.held < active.parallel);
        let mut fewest: BinaryHeap<_> = places.map(|(place, active)| Reverse((active.held, place))).collect();
        for _ in 0..view.free {
            let Some(Reverse((held, place))) = fewest.pop() else { break };
            given[place] += 1;
            if held + 1 < view.active[place].parallel {
                fewest.push(Reverse((held + 1, place)));
            }
        }
        given.into()
    }
}
