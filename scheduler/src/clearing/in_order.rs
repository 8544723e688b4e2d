//! Policies that are nothing but an order: who comes first gets the fastest class that has room, then the next.
//!
//! A gang keeps the class it runs on unless one with room is clearly faster (`Rules::move_gain_ppm`): otherwise every job
//! that finishes on a fast class would move all those behind it. What does not fit is passed over, so that nothing that a
//! smaller gang can use stays idle; a large gang can therefore wait for long behind small ones that came later.

use super::{Offer, Proposal, Shares, by_job};
use crate::world::At;

/// Millionths.
const MILLION: i128 = 1_000_000;

/// The gangs of a pool's jobs in order of `key`, equals by arrival and then id.
pub(super) fn in_order<K: Ord>(shares: &Shares<'_>, key: impl Fn(usize) -> K) -> Proposal {
    let mut room = room(shares);
    let mut order: Vec<usize> = (0..shares.members.len())
        .filter(|member| shares.members[*member].active && shares.kept[*member].is_none())
        .collect();
    order.sort_by_cached_key(|member| (key(*member), arrival(shares, *member)));
    let gangs = order.into_iter().filter_map(|member| {
        let class = class_for(shares, member, &room)?;
        room[class] -= gang(shares, member);
        Some(Offer { member, class })
    });
    Proposal { gangs: gangs.collect(), idle: by_job(shares, &key), ..Proposal::default() }
}

/// Devices of the jobs' part of each class beside those of gangs that stay in any case.
pub(super) fn room(shares: &Shares<'_>) -> Vec<i64> {
    let mut room = shares.owned.clone();
    for (member, class) in shares.kept.iter().enumerate() {
        if let Some(class) = class {
            room[*class] -= gang(shares, member);
        }
    }
    room
}

/// Devices that a job needs at once.
pub(super) fn gang(shares: &Shares<'_>, member: usize) -> i64 {
    i64::from(shares.members[member].job.gang.max(1))
}

/// Who came first, and of those who came together whose id is the least.
fn arrival(shares: &Shares<'_>, member: usize) -> (At, crate::world::JobId) {
    (shares.members[member].arrived_at, shares.members[member].id())
}

/// The time that a job needs for `work` milliunits on its fastest class, in milliseconds; endless where none can run it.
pub(super) fn time_alone(shares: &Shares<'_>, member: usize, work: i64) -> i128 {
    let fastest = shares.speeds[member].iter().map(|(_, speed)| *speed).max().unwrap_or(0);
    if fastest > 0 { i128::from(work.max(0)) * 1000 / i128::from(fastest) } else { i128::MAX }
}

/// The fastest class with room for a gang, or the one it runs on if no other is clearly faster.
fn class_for(shares: &Shares<'_>, member: usize, room: &[i64]) -> Option<usize> {
    let here = shares.runs_on[member].or(shares.awaits[member]);
    let may_go = |class: usize| !shares.fixed[member] || here == Some(class);
    let fits = shares.speeds[member].iter().filter(|(class, _)| room[*class] >= gang(shares, member) && may_go(*class));
    let fastest = fits.clone().max_by_key(|(class, speed)| (*speed, std::cmp::Reverse(*class)))?;
    let stays = fits.clone().find(|(class, _)| Some(*class) == here).filter(|(_, speed)| {
        let clearly = i128::from(*speed) * (MILLION + i128::from(shares.rules.move_gain_ppm));
        i128::from(fastest.1) * MILLION < clearly
    });
    stays.or(Some(fastest)).map(|(class, _)| *class)
}
