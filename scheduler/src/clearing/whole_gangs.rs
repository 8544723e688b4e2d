//! The best set of whole gangs: each on one class or not at all, within the devices of each class.
//!
//! Given what every gang is worth on every class, maximise the sum. Small pools are solved exactly, by a dynamic programme
//! over the devices left of each class; large ones by prices: one per class, found by coordinate search, then gangs by
//! what they are worth beyond the price, then whatever still fits; several plain orders compete, the best sum is kept.
//! A gang of worth 0 or less on a class does not run there. Nothing here knows what worth means.

/// Cells of the exact programme's table, jobs times states; beyond it prices decide.
const MOST_CELLS: usize = 1 << 21;
/// Sweeps of the coordinate search over the prices.
const SWEEPS: usize = 12;

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
    let states = room.iter().try_fold(1_usize, |states, room| states.checked_mul(room + 1));
    match states.and_then(|states| states.checked_mul(candidates.len())) {
        Some(cells) if cells <= MOST_CELLS => exactly(candidates, room),
        _ => by_price(candidates, room),
    }
}

fn favourite(candidate: &Candidate) -> Option<usize> {
    let classes = candidate.worth.iter().enumerate().filter(|(_, worth)| **worth > 0.0);
    classes.max_by(|(a, left), (b, right)| left.total_cmp(right).then(b.cmp(a))).map(|(class, _)| class)
}

/// Dynamic programme: `best[state]` is the largest sum with that many devices of each class at hand.
fn exactly(candidates: &[Candidate], room: &[usize]) -> Vec<Option<usize>> {
    let strides: Vec<usize> = room
        .iter()
        .scan(1, |stride, room| {
            let here = *stride;
            *stride *= room + 1;
            Some(here)
        })
        .collect();
    let states: usize = room.iter().map(|room| room + 1).product();
    let left: Vec<Vec<usize>> =
        (0..states).map(|state| strides.iter().zip(room).map(|(s, r)| state / s % (r + 1)).collect()).collect();
    let mut best = vec![0.0_f64; states];
    let mut chosen = vec![0_u8; states * candidates.len()];
    for (row, candidate) in candidates.iter().enumerate() {
        let before = best.clone();
        let options: Vec<(usize, f64)> =
            candidate.worth.iter().copied().enumerate().filter(|(_, worth)| *worth > 0.0).collect();
        for state in 0..states {
            for (class, worth) in &options {
                if left[state][*class] >= candidate.gang {
                    let sum = before[state - candidate.gang * strides[*class]] + worth;
                    if sum > best[state] {
                        best[state] = sum;
                        chosen[row * states + state] = u8::try_from(*class + 1).unwrap_or(0);
                    }
                }
            }
        }
    }
    let mut state = states - 1;
    let mut choice = vec![None; candidates.len()];
    for (row, candidate) in candidates.iter().enumerate().rev() {
        let class = usize::from(chosen[row * states + state]).checked_sub(1);
        if let Some(class) = class {
            state -= candidate.gang * strides[class];
        }
        choice[row] = class;
    }
    choice
}

/// Prices, then several plain orders: the best sum.
fn by_price(candidates: &[Candidate], room: &[usize]) -> Vec<Option<usize>> {
    let prices = prices(candidates, room);
    let mut tried = vec![beyond_price(candidates, room, &prices)];
    // Worth per gang, per root of its size, per device.
    for power in [0.0, 0.5, 1.0] {
        let mut choice = vec![None; candidates.len()];
        fill(candidates, &mut room.to_vec(), &mut choice, |candidate, worth| {
            worth / libm::pow(float(candidate.gang), power)
        });
        tried.push(choice);
    }
    let sum = |choice: &[Option<usize>]| {
        candidates.iter().zip(choice).filter_map(|(candidate, class)| Some(candidate.worth[(*class)?])).sum::<f64>()
    };
    let mut best = tried.remove(0);
    for other in tried {
        if sum(&other) > sum(&best) {
            best = other;
        }
    }
    best
}

/// For each class the price per device at which what is wanted fits, the other prices given.
fn prices(candidates: &[Candidate], room: &[usize]) -> Vec<f64> {
    let mut prices = vec![0.0; room.len()];
    for _ in 0..SWEEPS {
        let before = prices.clone();
        for class in 0..room.len() {
            let mut bids: Vec<(f64, usize)> = candidates
                .iter()
                .map(|candidate| {
                    let gang = float(candidate.gang);
                    let gains = candidate.worth.iter().zip(&prices).enumerate().filter(|(other, _)| *other != class);
                    let elsewhere = gains.map(|(_, (worth, price))| worth / gang - price).fold(0.0, f64::max);
                    (candidate.worth[class] / gang - elsewhere, candidate.gang)
                })
                .filter(|(bid, _)| *bid > 0.0)
                .collect();
            prices[class] = marginal(&mut bids, room[class]);
        }
        if prices == before {
            break;
        }
    }
    prices
}

/// The bid per device of the first gang, highest bid first, for which there is no room; 0 if there is room for all. Sought by
/// halves, for only one place in the order is asked for.
fn marginal(bids: &mut [(f64, usize)], room: usize) -> f64 {
    let (mut bids, mut room) = (bids, room);
    while !bids.is_empty() {
        let middle = bids.len() / 2;
        bids.select_nth_unstable_by(middle, |(a, _), (b, _)| b.total_cmp(a));
        let (higher, rest) = bids.split_at_mut(middle);
        let (at, lower) = rest.split_at_mut(1);
        let taken = higher.iter().map(|(_, gang)| gang).sum::<usize>();
        if taken > room {
            bids = higher;
        } else if taken + at[0].1 > room {
            return at[0].0;
        } else {
            room -= taken + at[0].1;
            bids = lower;
        }
    }
    0.0
}

/// Gangs by what they are worth per device beyond the price, each on the class where that is most; then what still fits.
fn beyond_price(candidates: &[Candidate], room: &[usize], prices: &[f64]) -> Vec<Option<usize>> {
    let mut offers: Vec<(f64, usize, usize)> = Vec::new();
    for (row, candidate) in candidates.iter().enumerate() {
        let gang = float(candidate.gang);
        for (class, worth) in candidate.worth.iter().enumerate().filter(|(_, worth)| **worth > 0.0) {
            let gain = worth / gang - prices[class];
            if gain >= -1e-12 * worth / gang {
                offers.push((gain, row, class));
            }
        }
    }
    let mut room = room.to_vec();
    let mut choice = vec![None; candidates.len()];
    take(&mut offers, candidates, &mut room, &mut choice);
    fill(candidates, &mut room, &mut choice, |candidate, worth| worth / float(candidate.gang));
    choice
}

/// First fit over all pairs of a candidate and a class, by falling `key`.
fn fill(
    candidates: &[Candidate],
    room: &mut [usize],
    choice: &mut [Option<usize>],
    key: impl Fn(&Candidate, f64) -> f64,
) {
    let mut offers: Vec<(f64, usize, usize)> = Vec::new();
    for (row, candidate) in candidates.iter().enumerate().filter(|(row, _)| choice[*row].is_none()) {
        let classes = candidate.worth.iter().enumerate().filter(|(_, worth)| **worth > 0.0);
        offers.extend(classes.map(|(class, worth)| (key(candidate, *worth), row, class)));
    }
    take(&mut offers, candidates, room, choice);
}

fn take(
    offers: &mut [(f64, usize, usize)],
    candidates: &[Candidate],
    room: &mut [usize],
    choice: &mut [Option<usize>],
) {
    offers.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for (_, row, class) in offers {
        if choice[*row].is_none() && room[*class] >= candidates[*row].gang {
            room[*class] -= candidates[*row].gang;
            choice[*row] = Some(*class);
        }
    }
}

fn float(gang: usize) -> f64 {
    u32::try_from(gang).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(gang: usize, worth: &[f64]) -> Candidate {
        Candidate { gang, worth: worth.to_vec() }
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
    fn the_marginal_bid_is_the_first_that_does_not_fit() {
        let bids = [(2.0, 4), (5.0, 1), (3.0, 2), (3.0, 1), (1.0, 1)];
        let marginal = |room| marginal(&mut bids.clone(), room);
        assert_eq!([0, 1, 3, 4, 7, 8, 9].map(marginal), [5.0, 3.0, 3.0, 2.0, 2.0, 1.0, 0.0]);
    }

    #[test]
    fn prices_come_close_to_the_exact_sum_and_never_overfill() {
        let mut state = 7_u64;
        let mut dice = |sides: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % sides
        };
        for _ in 0..50 {
            let candidates: Vec<Candidate> = (0..40)
                .map(|_| {
                    let gang = 1_usize << dice(3);
                    let base = float(gang) * (1.0 + float(usize::try_from(dice(100)).unwrap()));
                    let worth = (0..3).map(|_| base * (1.0 + float(usize::try_from(dice(4)).unwrap()))).collect();
                    Candidate { gang, worth }
                })
                .collect();
            let room = [9, 10, 12];
            let (exact, priced) = (exactly(&candidates, &room), by_price(&candidates, &room));
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
