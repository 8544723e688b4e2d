//! Large pools: one price per class, found by coordinate search, then gangs by what they are worth beyond it; and plain orders.

use super::{Candidate, float};

/// Sweeps of the coordinate search over the prices.
const SWEEPS: usize = 12;

/// Prices, then several plain orders: the best sum.
pub(super) fn by_price(candidates: &[Candidate], room: &[usize]) -> Vec<Option<usize>> {
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

/// For each class the price per device at which what is wanted fits, the other prices given. What a gang gains on the classes
/// before and after a class is kept, so that a sweep looks at each pair of a gang and a class a fixed number of times.
fn prices(candidates: &[Candidate], room: &[usize]) -> Vec<f64> {
    let classes = room.len();
    let per_device = |class: usize| candidates.iter().map(move |it| it.worth[class] / float(it.gang)).collect();
    let worth: Vec<Vec<f64>> = (0..classes).map(per_device).collect();
    let mut prices = vec![0.0; classes];
    let mut bids: Vec<(f64, usize)> = Vec::with_capacity(candidates.len());
    let mut after = vec![vec![0.0; candidates.len()]; classes + 1];
    for _ in 0..SWEEPS {
        let old = prices.clone();
        for class in (0..classes).rev() {
            let (here, next) = after.split_at_mut(class + 1);
            here[class].copy_from_slice(&next[0]);
            raise(&mut here[class], &worth[class], prices[class]);
        }
        let mut before = vec![0.0; candidates.len()];
        for class in 0..classes {
            let elsewhere = before.iter().zip(&after[class + 1]).map(|(before, after)| f64::max(*before, *after));
            let gains = worth[class].iter().zip(elsewhere).map(|(worth, elsewhere)| worth - elsewhere);
            bids.clear();
            bids.extend(gains.zip(candidates).filter(|(gain, _)| *gain > 0.0).map(|(gain, it)| (gain, it.gang)));
            prices[class] = marginal(&mut bids, room[class]);
            raise(&mut before, &worth[class], prices[class]);
        }
        if prices == old {
            break;
        }
    }
    prices
}

/// Raises each gang's gain to what it gains at this price.
fn raise(gains: &mut [f64], worth: &[f64], price: f64) {
    for (gain, worth) in gains.iter_mut().zip(worth) {
        *gain = f64::max(*gain, worth - price);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marginal_bid_is_the_first_that_does_not_fit() {
        let bids = [(2.0, 4), (5.0, 1), (3.0, 2), (3.0, 1), (1.0, 1)];
        let marginal = |room| marginal(&mut bids.clone(), room);
        assert_eq!([0, 1, 3, 4, 7, 8, 9].map(marginal), [5.0, 3.0, 3.0, 2.0, 2.0, 1.0, 0.0]);
    }
}
