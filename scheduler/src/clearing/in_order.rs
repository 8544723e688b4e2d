//! Policies that are nothing but an order: who comes first gets the fastest class that has room, then the next.
//!
//! A gang keeps the class it runs on unless one with room is clearly faster (`Rules::move_gain_ppm`): otherwise every job
//! that finishes on a fast class would move all those behind it. What does not fit is passed over, so that nothing that a
//! smaller gang can use stays idle; a large gang can therefore wait for long behind small ones that came later.

use super::{Offer, Proposal, Shares, by_job};

/// Millionths.
const MILLION: i128 = 1_000_000;

/// The gangs of a pool's jobs in order of `key`, equals by arrival and then id.
pub(super) fn in_order<K: Ord>(shares: &Shares<'_>, key: impl Fn(usize) -> K) -> Proposal {
    let mut room = shares.room();
    let mut order = shares.undecided();
    order.sort_by_cached_key(|member| key(*member));
    let gangs = order.into_iter().filter_map(|member| {
        let class = class_for(shares, member, &room)?;
        room[class] -= shares.size(member);
        Some(Offer { member, class })
    });
    Proposal { gangs: gangs.collect(), idle: by_job(shares, &key), ..Proposal::default() }
}

/// The fastest class with room for a gang, or the one it runs on if no other is clearly faster.
fn class_for(shares: &Shares<'_>, member: usize, room: &[usize]) -> Option<usize> {
    let (here, size) = (shares.here(member), shares.size(member));
    let fits = shares.speeds[member].iter().filter(|(class, _)| room[*class] >= size && shares.may_go(member, *class));
    let fastest = fits.clone().max_by_key(|(class, speed)| (*speed, std::cmp::Reverse(*class)))?;
    let stays = fits.clone().find(|(class, _)| Some(*class) == here).filter(|(_, speed)| {
        let clearly = i128::from(*speed) * (MILLION + i128::from(shares.rules.move_gain_ppm));
        i128::from(fastest.1) * MILLION < clearly
    });
    stays.or(Some(fastest)).map(|(class, _)| *class)
}
