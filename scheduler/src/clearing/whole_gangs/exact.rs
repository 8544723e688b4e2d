//! Small pools: a dynamic programme over the devices left of each class, for those candidates that can matter.

use super::Candidate;
use std::collections::BTreeMap;

/// Cells of the programme's table, jobs times states; beyond it prices decide.
const MOST_CELLS: usize = 1 << 21;

/// The best choice, unless the table would be too large.
pub(super) fn exactly(candidates: &[Candidate], room: &[usize]) -> Option<Vec<Option<usize>>> {
    let states = room.iter().try_fold(1_usize, |states, room| states.checked_mul(room + 1))?;
    if states > MOST_CELLS {
        return None;
    }
    let contenders = contenders(candidates, room);
    states.checked_mul(contenders.len()).filter(|cells| *cells <= MOST_CELLS)?;
    let table = Table { strides: strides(room), states, room };
    let mut choice = vec![None; candidates.len()];
    for (row, class) in contenders.iter().zip(table.best(candidates, &contenders)) {
        choice[*row] = class;
    }
    Some(choice)
}

/// Of each gang size on each class, no more than could run in the whole room: whoever is worth less there than as many others
/// can give its place to one of them that does not run. In order.
fn contenders(candidates: &[Candidate], room: &[usize]) -> Vec<usize> {
    let mut by_gang: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (row, candidate) in candidates.iter().enumerate() {
        by_gang.entry(candidate.gang).or_default().push(row);
    }
    let mut contends = vec![false; candidates.len()];
    for (gang, rows) in by_gang {
        let most = room.iter().map(|room| room / gang).sum();
        for class in 0..room.len() {
            let worth = |row: usize| candidates[row].worth[class];
            let mut here: Vec<usize> = rows.iter().copied().filter(|row| worth(*row) > 0.0).collect();
            here.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)));
            here.iter().take(most).for_each(|row| contends[*row] = true);
        }
    }
    (0..candidates.len()).filter(|row| contends[*row]).collect()
}

/// By how much a state's number grows with a device of each class.
fn strides(room: &[usize]) -> Vec<usize> {
    let running = room.iter().scan(1, |stride, room| Some(std::mem::replace(stride, *stride * (room + 1))));
    running.collect()
}

/// All numbers of devices that can be at hand.
struct Table<'r> {
    strides: Vec<usize>,
    states: usize,
    room: &'r [usize],
}

impl Table<'_> {
    /// The class of each of `rows`, if it runs. `best[state]` is the largest sum with that many devices of each class at hand.
    fn best(&self, candidates: &[Candidate], rows: &[usize]) -> Vec<Option<usize>> {
        let mut best = vec![0.0_f64; self.states];
        let mut before = best.clone();
        let mut chosen = vec![0_u8; self.states * rows.len()];
        for (row, chosen) in rows.iter().zip(chosen.chunks_mut(self.states)) {
            before.copy_from_slice(&best);
            for (class, worth) in candidates[*row].worth.iter().enumerate().filter(|(_, worth)| **worth > 0.0) {
                self.offer(class, candidates[*row].gang, *worth, &before, (&mut best, chosen));
            }
        }
        self.trace(candidates, rows, &chosen)
    }

    /// Lets a gang run on a class wherever that is better. States in which enough devices of it are at hand lie in a row.
    fn offer(&self, class: usize, gang: usize, worth: f64, before: &[f64], (best, chosen): (&mut [f64], &mut [u8])) {
        let name = u8::try_from(class + 1).unwrap_or(0);
        let (taken, block) = (gang * self.strides[class], (self.room[class] + 1) * self.strides[class]);
        if taken >= block {
            return;
        }
        for first in (0..self.states).step_by(block) {
            let without = &before[first..first + block - taken];
            let with = first + taken..first + block;
            for ((without, best), chosen) in without.iter().zip(&mut best[with.clone()]).zip(&mut chosen[with]) {
                let sum = without + worth;
                if sum > *best {
                    (*best, *chosen) = (sum, name);
                }
            }
        }
    }

    /// Follows the choices back from all devices at hand.
    fn trace(&self, candidates: &[Candidate], rows: &[usize], chosen: &[u8]) -> Vec<Option<usize>> {
        let mut state = self.states - 1;
        let mut choice = vec![None; rows.len()];
        for (place, row) in rows.iter().enumerate().rev() {
            let class = usize::from(chosen[place * self.states + state]).checked_sub(1);
            if let Some(class) = class {
                state -= candidates[*row].gang * self.strides[class];
            }
            choice[place] = class;
        }
        choice
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{candidate, dice};
    use super::*;

    /// The largest sum over all ways to let the candidates run.
    fn tried(candidates: &[Candidate], room: &mut [usize]) -> f64 {
        let Some((first, rest)) = candidates.split_first() else { return 0.0 };
        let mut best = tried(rest, room);
        for class in 0..room.len() {
            if first.worth[class] > 0.0 && room[class] >= first.gang {
                room[class] -= first.gang;
                best = best.max(first.worth[class] + tried(rest, room));
                room[class] += first.gang;
            }
        }
        best
    }

    #[test]
    fn nothing_that_could_be_tried_is_worth_more() {
        let mut dice = dice(3);
        for _ in 0..300 {
            let mut drawn = || {
                let gang = [1, 1, 2, 4][dice(4)];
                candidate(gang, &[(); 2].map(|()| [0.0, 1.0, 2.0, 2.5, 4.0, 7.0][dice(6)]))
            };
            let candidates: Vec<Candidate> = (0..9).map(|_| drawn()).collect();
            let mut room = [dice(4), dice(6)];
            let choice = exactly(&candidates, &room).expect("a small table");
            let runs = || candidates.iter().zip(&choice).filter_map(|(it, class)| Some((it, (*class)?)));
            for (class, room) in room.iter().enumerate() {
                assert!(runs().filter(|(_, on)| *on == class).map(|(it, _)| it.gang).sum::<usize>() <= *room);
            }
            let sum = runs().map(|(it, class)| it.worth[class]).sum::<f64>();
            assert!((sum - tried(&candidates, &mut room)).abs() < 1e-9, "{candidates:?} in {room:?}: {sum}");
        }
    }

    #[test]
    fn of_many_alike_only_as_many_as_could_run_are_looked_at() {
        let candidates = vec![candidate(2, &[1.0, 3.0]); 10_000];
        assert_eq!(contenders(&candidates, &[5, 3]), [0, 1, 2]);
        assert!(exactly(&candidates, &[40, 40]).is_some(), "10,000 by 41 squared would be too large a table");
    }
}
