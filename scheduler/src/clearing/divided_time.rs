//! What policies that ask the solver have in common: the jobs' part of a pool as a programme, and its answer as fractions of
//! time. What a job's progress counts for is the policy's.

use super::{Shares, float};
use crate::solve::{Aim, Program, Row, Supply, solve};

/// By member and class the fraction of time that is best. Speeds are relative to each job's fastest class. Where no answer can
/// be proved, every job gets an equal part of every class that it can use.
pub(super) fn fractions(shares: &Shares<'_>, aim: impl Fn(usize) -> Aim) -> Vec<Vec<f64>> {
    let classes = shares.capacity.len();
    let mut fractions = vec![vec![0.0; classes]; shares.members.len()];
    let takes_part = |member: &usize| shares.members[*member].active && !shares.speeds[*member].is_empty();
    let members: Vec<usize> = (0..shares.members.len()).filter(takes_part).collect();
    if members.is_empty() {
        return fractions;
    }
    let row = |member: &usize| Row { aim: aim(*member), gang: f64::from(shares.gang(*member)), floor: 0.0 };
    let supply = |devices: &i64| Supply { free: float((*devices).max(0)), steps: Vec::new() };
    let program = Program {
        rows: members.iter().map(row).collect(),
        speeds: members.iter().flat_map(|member| speeds(shares, *member)).collect(),
        supply: shares.owned.iter().map(supply).collect(),
    };
    match solve(&program) {
        Ok(answer) => {
            for (member, row) in members.iter().zip(answer.x.chunks(classes)) {
                fractions[*member].copy_from_slice(row);
            }
        }
        Err(_) => equal_parts(shares, &members, &mut fractions),
    }
    fractions
}

/// Relative to the fastest class, by ordinal.
fn speeds(shares: &Shares<'_>, member: usize) -> Vec<f64> {
    let fastest = shares.fastest(member).max(1);
    let mut row = vec![0.0; shares.capacity.len()];
    for (class, speed) in &shares.speeds[member] {
        row[*class] = float((*speed).max(0)) / float(fastest);
    }
    row
}

/// The same part of every class that it can use for each of the jobs.
pub(super) fn equal_parts(shares: &Shares<'_>, members: &[usize], fractions: &mut [Vec<f64>]) {
    let jobs = float(i64::try_from(members.len()).unwrap_or(i64::MAX));
    for member in members {
        for (class, _) in &shares.speeds[*member] {
            fractions[*member][*class] = float(shares.owned[*class].max(0)) / jobs / f64::from(shares.gang(*member));
        }
    }
}
