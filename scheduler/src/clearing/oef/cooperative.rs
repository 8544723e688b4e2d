//! The envy-free division with the greatest sum of progress.
//!
//! There is a row for each pair of tenants, but only those between tenants whose speeds are alike tend to bind. So the
//! program starts with the rows of nearest neighbours and with what follows from all rows together (nobody does worse than
//! with its part of everything), and gets the rows of those who envy the division found, until nobody does. Each program
//! has fewer rows than the whole one, so its bound holds for the whole one too.

use super::program::{Program, Row, Unsolved};
use super::{Division, Market, envy};

/// Envy beyond this is a violated row.
const ENVY: f64 = 1e-9;
/// Whose rows are made at first: 100 tenants on 5 classes then take 3 to 5 programs rather than 12, in a sixth of the time.
const NEIGHBOURS: usize = 8;
/// Rows made for one tenant at a time.
const ROWS_PER_TENANT: usize = 5;
/// Programs solved before the last division is taken as it is; its envy is for the caller to see.
const SOLVES_MAX: usize = 60;

/// Solves it.
///
/// # Errors
/// The solver found no optimum, which no market with finite speeds brings about.
pub fn cooperative(market: &Market) -> Result<Division, Unsolved> {
    let tenants = market.speeds.len();
    let mut program = Program::of(market);
    program.rows.extend((0..tenants).map(|tenant| at_least_its_part(market, tenant)));
    let mut made: Vec<Vec<bool>> = vec![vec![false; tenants]; tenants];
    for (from, made) in made.iter_mut().enumerate() {
        for to in nearest(market, from) {
            made[to] = true;
            program.rows.push(no_envy(market, from, to));
        }
    }
    let mut solves = 0;
    loop {
        let optimum = program.solve(0)?;
        solves += 1;
        let classes = market.capacity.len();
        let devices: Vec<Vec<f64>> = optimum.point.chunks(classes.max(1)).map(<[f64]>::to_vec).collect();
        let mut envious = false;
        for (from, made) in made.iter_mut().enumerate() {
            for to in
                most_envied(market, &devices, from).into_iter().filter(|to| !std::mem::replace(&mut made[*to], true))
            {
                envious = true;
                program.rows.push(no_envy(market, from, to));
            }
        }
        if !envious || solves == SOLVES_MAX {
            return Ok(Division::new(market, devices, optimum.bound, solves));
        }
    }
}

/// The tenants whose speeds are most alike in proportion.
fn nearest(market: &Market, from: usize) -> Vec<usize> {
    let likeness = |to: usize| {
        let dot = |a: usize, b: usize| market.worth(a, &market.speeds[b]);
        dot(from, to) / libm::sqrt(dot(to, to)).max(f64::MIN_POSITIVE)
    };
    let mut others: Vec<usize> = (0..market.speeds.len()).filter(|to| *to != from).collect();
    others.sort_by(|a, b| likeness(*b).total_cmp(&likeness(*a)).then(a.cmp(b)));
    others.truncate(NEIGHBOURS);
    others
}

/// Whom a tenant envies most.
fn most_envied(market: &Market, devices: &[Vec<f64>], from: usize) -> Vec<usize> {
    let mut others: Vec<(f64, usize)> = (0..devices.len())
        .filter(|to| *to != from)
        .map(|to| (envy(market, devices, from, to), to))
        .filter(|(envy, _)| *envy > ENVY)
        .collect();
    others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    others.into_iter().take(ROWS_PER_TENANT).map(|(_, to)| to).collect()
}

fn at_least_its_part(market: &Market, tenant: usize) -> Row {
    let classes = market.capacity.len();
    let terms = market.speeds[tenant].iter().enumerate().map(|(class, speed)| (tenant * classes + class, -speed));
    Row { terms: terms.collect(), limit: -market.part(tenant) * market.worth(tenant, &market.capacity) }
}

fn no_envy(market: &Market, from: usize, to: usize) -> Row {
    let classes = market.capacity.len();
    let own = market.weights[from];
    let others = market.weights[to];
    let terms = market.speeds[from]
        .iter()
        .enumerate()
        .flat_map(|(class, speed)| [(to * classes + class, speed / others), (from * classes + class, -speed / own)]);
    Row { terms: terms.collect(), limit: 0.0 }
}
