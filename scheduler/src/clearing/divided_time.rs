//! What policies that ask the solver have in common: the jobs' part of a pool as a programme, and its answer as fractions of
//! time. What a job's progress counts for is the policy's.

use super::{Shares, float};
use crate::solve::{Aim, Answer, Program, Row, SolveError, Supply, solve};

/// By member and class the fraction of time that is best. Speeds are relative to each job's fastest class.
pub(super) fn fractions(shares: &Shares<'_>, aim: impl Fn(usize) -> Aim) -> Vec<Vec<f64>> {
    let row = |member: &usize| Row { aim: aim(*member), gang: f64::from(shares.gang(*member)), floor: 0.0 };
    let supply = |devices: &i64| Supply { free: float((*devices).max(0)), steps: Vec::new() };
    divide(shares, |members| {
        solve(&Program {
            rows: members.iter().map(row).collect(),
            speeds: members.iter().flat_map(|member| speeds(shares, *member, 1.0)).collect(),
            supply: shares.owned.iter().map(supply).collect(),
        })
    })
}

/// By member and class the fraction of time that `solve` finds for those who take part, its first rows in their order. Where
/// no answer can be proved, every job gets an equal part of every class that it can use.
pub(super) fn divide(shares: &Shares<'_>, solve: impl FnOnce(&[usize]) -> Result<Answer, SolveError>) -> Vec<Vec<f64>> {
    let classes = shares.capacity.len();
    let mut fractions = vec![vec![0.0; classes]; shares.members.len()];
    let members: Vec<usize> = (0..shares.members.len()).filter(|member| shares.takes_part(*member)).collect();
    if members.is_empty() {
        return fractions;
    }
    match solve(&members) {
        Ok(answer) => {
            for (member, row) in members.iter().zip(answer.x.chunks(classes)) {
                fractions[*member].copy_from_slice(row);
            }
        }
        Err(_) => equal_parts(shares, &members, &mut fractions),
    }
    fractions
}

/// By class ordinal what a job makes there, if it makes `most` on its fastest class.
pub(super) fn speeds(shares: &Shares<'_>, member: usize, most: f64) -> Vec<f64> {
    let fastest = shares.fastest(member).max(1);
    let mut row = vec![0.0; shares.capacity.len()];
    for (class, speed) in &shares.speeds[member] {
        row[*class] = most * float((*speed).max(0)) / float(fastest);
    }
    row
}

/// The same part of every class that it can use for each of the jobs.
fn equal_parts(shares: &Shares<'_>, members: &[usize], fractions: &mut [Vec<f64>]) {
    let jobs = float(i64::try_from(members.len()).unwrap_or(i64::MAX));
    for member in members {
        for (class, _) in &shares.speeds[*member] {
            fractions[*member][*class] = float(shares.owned[*class].max(0)) / jobs / f64::from(shares.gang(*member));
        }
    }
}
