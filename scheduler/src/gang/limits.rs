//! How much of each class the posted price and the entitled gangs may take.

use crate::fairness::Assessment;
use crate::fairness::deadline::QUANTUM;
use crate::fairness::reference::{Capacity, time_on_classes};
use crate::placement::board::Board;
use crate::placement::newcomers::Newcomers;
use crate::world::{At, ClassId, Rules, Snapshot};
use std::collections::BTreeMap;

/// Millionths.
const MILLION: i64 = 1_000_000;

/// How many more devices of each class can be let at the posted price without eating into what running fair-share jobs are entitled
/// to: what an order at the posted price is checked against before it is accepted.
#[must_use]
pub fn on_demand_room(snapshot: &Snapshot, rules: &Rules, now: At) -> BTreeMap<ClassId, i32> {
    let world = snapshot.clone().canonical();
    let board = Board::new(&world, rules, now, Newcomers::Stay);
    let fair = crate::round::assess(&board);
    let (_, room) = of(&board, &fair);
    let count = |devices: i64| i32::try_from(devices.max(0)).unwrap_or(i32::MAX);
    board.classes.iter().zip(room).map(|(class, devices)| ((*class).clone(), count(devices))).collect()
}

/// Devices of each class, by ordinal, that entitled gangs may take and that the posted price may still take.
#[must_use]
pub(super) fn of(board: &Board<'_>, fair: &Assessment<'_>) -> (Vec<i64>, Vec<i64>) {
    let capacity = |class: &ClassId| i64::from(fair.capacity.devices(class));
    let entitled = owned(&board.classes.iter().map(|class| capacity(class)).collect::<Vec<_>>(), board.rules);

    // The share counts what is let at the posted price as well: else every such rental would make room for the next.
    let with_posted = board.capacity_with_posted();
    let reserved = match board.rules.admission_cap_milli {
        // Promises go by the whole of the jobs' part, whoever is there now.
        Some(_) => {
            owned(&Vec::from_iter(board.classes.iter().map(|class| i64::from(with_posted.devices(class)))), board.rules)
        }
        None => reserved(board, fair, &with_posted),
    };
    let left = board.capacity_left();
    let room = board.classes.iter().zip(reserved);
    let room = room.map(|(class, reserved)| i64::from(left.devices(class)) - reserved).collect();
    (entitled, room)
}

/// The jobs' part of each class, rounded up to whole devices.
#[must_use]
pub fn owned(capacity: &[i64], rules: &Rules) -> Vec<i64> {
    capacity.iter().map(|devices| ceil_div(devices * i64::from(rules.phi_ppm), MILLION)).collect()
}

/// Devices of each class that the active jobs' references use, rounded up.
fn reserved(board: &Board<'_>, fair: &Assessment<'_>, capacity: &Capacity) -> Vec<i64> {
    let active = || fair.members.iter().filter(|member| member.active);
    let total: i64 = active().map(|member| i64::from(member.job.weight_milli)).sum();
    let mut used = vec![0_i128; board.classes.len()];
    for member in active() {
        let time = time_on_classes(member.job, member.job.weight_milli, total, capacity, board.rules.phi_ppm);
        for (speed, time) in member.job.speeds.iter().zip(time) {
            if let Some(class) = board.ordinal(&speed.class) {
                used[class] += i128::from(time) * i128::from(member.job.gang);
            }
        }
    }
    // Shares are rounded down to trillionths: what is almost a whole device is one.
    let whole = i128::from(QUANTUM);
    used.into_iter()
        .map(|used| i64::try_from((used + whole - whole / MILLION as i128) / whole).unwrap_or(i64::MAX))
        .collect()
}

fn ceil_div(a: i64, b: i64) -> i64 {
    a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0)
}
