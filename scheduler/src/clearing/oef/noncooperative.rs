//! The division in which all make the same progress per weight, and as much as possible.
//!
//! With one more variable, the common progress per weight, all it takes is one equation for each tenant.

use super::program::{Program, Row, Unsolved};
use super::{Division, Market};

/// Solves it.
///
/// # Errors
/// The solver found no optimum, which no market with finite speeds brings about.
pub fn noncooperative(market: &Market) -> Result<Division, Unsolved> {
    let (tenants, classes) = (market.speeds.len(), market.capacity.len());
    let mut program = Program::of(market);
    let common = tenants * classes;
    let total: f64 = market.weights.iter().sum();
    program.objective = vec![0.0; common];
    program.objective.push(total);
    program.most.push((0..tenants).map(|tenant| market.worth(tenant, &market.capacity)).fold(0.0, f64::max));
    let equations = (0..tenants).map(|tenant| {
        let own = market.speeds[tenant].iter().enumerate().map(|(class, speed)| (tenant * classes + class, *speed));
        Row { terms: own.chain([(common, -market.weights[tenant])]).collect(), limit: 0.0 }
    });
    program.rows = equations.chain(program.rows).collect();
    let optimum = program.solve(tenants)?;
    let devices = optimum.point[..common].chunks(classes.max(1)).map(<[f64]>::to_vec).collect();
    Ok(Division::new(market, devices, optimum.bound, 1))
}
