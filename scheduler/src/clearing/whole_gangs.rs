//! The best set of whole gangs: each on one class or not at all, within the devices of each class.
//!
//! Given what every gang is worth on every class, maximise the sum. Small pools are solved exactly, by a dynamic programme
//! over the devices left of each class; large ones by prices: one per class, found by coordinate search, then gangs by
//! what they are worth beyond the price, then whatever still fits; several plain orders compete, the best sum is kept.
//! A gang of worth 0 or less on a class does not run there. Nothing here knows what worth means.

mod exact;
mod priced;

use exact::exactly;
use priced::by_price;

/// A gang and what it is worth on each class.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Devices it needs, at least 1.
    pub gang: usize,
    /// Its worth on each class, by ordinal.
    pub worth: Vec<f64>,
}

/// For each candidate the class it runs on, if it runs. Equal sums are decided by place: the same input gives the same
/// choice everywhere.
#[must_use]
pub fn choose(candidates: &[Candidate], room: &[usize]) -> Vec<Option<usize>> {
    let favourites: Vec<Option<usize>> = candidates.iter().map(favourite).collect();
    let mut used = vec![0; room.len()];
    for (candidate, class) in candidates.iter().zip(&favourites) {
        if let Some(class) = class {
            used[*class] += candidate.gang;
        }
    }
    if used.iter().zip(room).all(|(used, room)| used <= room) {
        return favourites;
    }
    exactly(candidates, room).unwrap_or_else(|| by_price(candidates, room))
}

fn favourite(candidate: &Candidate) -> Option<usize> {
    let classes = candidate.worth.iter().enumerate().filter(|(_, worth)| **worth > 0.0);
    classes.max_by(|(a, left), (b, right)| left.total_cmp(right).then(b.cmp(a))).map(|(class, _)| class)
}

fn float(gang: usize) -> f64 {
    u32::try_from(gang).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn candidate(gang: usize, worth: &[f64]) -> Candidate {
        Candidate { gang, worth: worth.to_vec() }
    }

    /// Numbers from 0 to below a number of sides, the same for the same seed.
    pub(super) fn dice(seed: u64) -> impl FnMut(u64) -> usize {
        let mut state = seed;
        move |sides| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((state >> 33) % sides).expect("few sides")
        }
    }

    fn sum(candidates: &[Candidate], choice: &[Option<usize>]) -> f64 {
        candidates.iter().zip(choice).filter_map(|(candidate, class)| Some(candidate.worth[(*class)?])).sum()
    }

    #[test]
    fn two_small_gangs_together_outbid_a_large_one() {
        let candidates = [candidate(2, &[5.0, 0.0]), candidate(1, &[3.0, 0.0]), candidate(1, &[3.0, 1.0])];
        assert_eq!(choose(&candidates, &[2, 0]), [None, Some(0), Some(0)]);
        assert_eq!(choose(&candidates, &[3, 1]), [Some(0), Some(0), Some(1)]);
    }

    #[test]
    fn prices_come_close_to_the_exact_sum_and_never_overfill() {
        let mut dice = dice(7);
        for _ in 0..50 {
            let candidates: Vec<Candidate> = (0..40)
                .map(|_| {
                    let gang = 1_usize << dice(3);
                    let base = float(gang) * (1.0 + float(dice(100)));
                    candidate(gang, &[(); 3].map(|()| base * (1.0 + float(dice(4)))))
                })
                .collect();
            let room = [9, 10, 12];
            let (exact, priced) = (exactly(&candidates, &room).expect("a small table"), by_price(&candidates, &room));
            for choice in [&exact, &priced] {
                for (class, room) in room.iter().enumerate() {
                    let here = candidates.iter().zip(choice).filter(|(_, chosen)| **chosen == Some(class));
                    assert!(here.map(|(candidate, _)| candidate.gang).sum::<usize>() <= *room);
                }
            }
            assert!(sum(&candidates, &priced) <= sum(&candidates, &exact) + 1e-9);
            assert!(sum(&candidates, &priced) >= 0.9 * sum(&candidates, &exact));
        }
    }
}
