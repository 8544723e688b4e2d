//! Programmes that are hard on a solver: each is solved and proved, or refused by name.

use scheduler::solve::instance::Numbers;
use scheduler::solve::{
    Aim, Answer, Certificate, Instance, LeaveOneOut, Objective, Program, Row, SolveError, Solver, Step, Supply,
    payments, solve, solve_near,
};

/// What is hard about it.
const KINDS: u64 = 8;

/// Zero capacities, equal rows, one job, speeds and gangs over six orders of magnitude, near-ties, rows that can run
/// nowhere, more devices than anybody can use, weights far apart.
fn degenerate(seed: u64) -> Program {
    let mut numbers = Numbers::new(seed);
    let kind = seed % KINDS;
    let rows = if kind == 2 { 1 } else { 2 + usize::try_from(numbers.bits() % 60).expect("small") };
    let classes = 1 + usize::try_from(numbers.bits() % 5).expect("small");
    let family = (seed / KINDS) % 3;
    let aims: Vec<Aim> = (0..rows).map(|_| aim(family, kind, &mut numbers)).collect();
    let wide = |numbers: &mut Numbers| libm::pow(10.0, numbers.between(-3.0, 3.0));
    let one: Vec<f64> = (0..classes).map(|_| numbers.between(0.5, 2.0)).collect();
    let mut speeds = Vec::new();
    for _ in 0..rows {
        let base = numbers.between(0.5, 2.0);
        for class in &one {
            speeds.push(match kind {
                1 => *class,
                3 => wide(&mut numbers),
                4 => base * (1.0 + 1e-9 * numbers.unit()),
                5 if numbers.unit() < 0.6 => 0.0,
                _ => base * numbers.between(0.3, 3.0),
            });
        }
    }
    let supply = (0..classes).map(|class| {
        let devices = match kind {
            0 if class > 0 || numbers.unit() < 0.1 => 0.0,
            3 => wide(&mut numbers),
            6 => 1000.0,
            _ => numbers.between(0.5, 8.0),
        };
        if family == 2 {
            let half = Step { ask: numbers.between(0.0, 1.0), devices: devices / 2.0 };
            Supply { free: 0.0, steps: vec![half, Step { ask: numbers.between(0.0, 1.0), ..half }] }
        } else {
            Supply { free: devices, steps: Vec::new() }
        }
    });
    let supply = supply.collect();
    let gang = |numbers: &mut Numbers| match kind {
        1 => 2.0,
        _ => [1.0, 2.0, 4.0, 8.0][usize::try_from(numbers.bits() % 4).expect("small")],
    };
    let rows = aims.into_iter().map(|aim| Row { aim, gang: gang(&mut numbers), floor: 0.0 }).collect();
    Program { rows, speeds, supply }
}

fn aim(family: u64, kind: u64, numbers: &mut Numbers) -> Aim {
    let weight = match kind {
        1 => 1.0,
        7 => libm::pow(10.0, numbers.between(-3.0, 3.0)),
        _ => numbers.between(0.5, 2.0),
    };
    match family {
        0 => Aim::Log { weight },
        1 => Aim::Level { reference: weight },
        _ if numbers.unit() < 0.5 => Aim::Pay,
        _ => Aim::Spend { budget: weight },
    }
}

#[test]
fn a_thousand_degenerate_programmes_are_all_proved() {
    let (mut refused, mut fallbacks, mut worst) = (Vec::new(), 0, 0.0_f64);
    for seed in 0..1000 {
        match solve(&degenerate(seed)) {
            Ok(answer) => {
                assert!(answer.certificate.holds(), "seed {seed}: {:?}", answer.certificate);
                worst = worst.max(answer.certificate.gap);
                fallbacks += u32::from(answer.solver == Solver::Clarabel);
            }
            Err(error) => refused.push((seed, seed % KINDS, (seed / KINDS) % 3, error.to_string())),
        }
    }
    println!("{fallbacks} by the fallback");
    println!("worst gap {worst:e}");
    assert!(refused.is_empty(), "{} refused: {refused:#?}", refused.len());
}

#[test]
fn solving_from_ones_own_answer_changes_nothing() {
    for objective in [Objective::Nash, Objective::MaxMin, Objective::Exchange] {
        for (jobs, classes, seed) in [(64, 3, 1), (64, 8, 2), (512, 3, 3), (2048, 3, 4)] {
            let program = Instance::new(objective, jobs, classes, seed).program();
            let first = solve(&program).expect("a proof");
            let again = solve_near(&program, &first.prices).expect("a proof");
            let place = || format!("{objective:?}, {jobs} jobs, {classes} classes");
            let (before, after) = (first.certificate.objective, again.certificate.objective);
            assert!((before - after).abs() <= 1e-6 * before.abs(), "{}: {before} and {after}", place());
            // Bids at the price and rows above the level may share in other ways; what logarithms are taken of is unique.
            let level = objective == Objective::MaxMin;
            let unique = |row: &usize| !level && !matches!(program.rows[*row].aim, Aim::Pay);
            let change = |row: usize| {
                let [a, b] = [&first, &again].map(|answer| answer.rates[row] + answer.cash[row]);
                ((a - b) / a).abs()
            };
            let most = (0..jobs).filter(unique).map(change).fold(0.0, f64::max);
            assert!(most <= 1e-9, "{}: a job changes by {most:e}", place());
        }
    }
}

/// How far any job's rate can be from the optimum, relatively, of a programme whose limits are just those that the answer
/// fills: the given ones up to rounding. Any prices p and prices of time q bound the objective from above, and since a
/// logarithm curves, an answer that is off by r in one row stays below by at least `weight (r - ln(1 + r))`.
fn rates_off_by_at_most(program: &Program, answer: &Answer) -> f64 {
    const ROUNDING: f64 = 1e-13;
    let classes = program.supply.len();
    let mut used = vec![0.0; classes];
    let (mut gap, mut least_weight) = (0.0, f64::INFINITY);
    for (row, it) in program.rows.iter().enumerate() {
        let Aim::Log { weight } = it.aim else { panic!("not a logarithm") };
        let speeds = &program.speeds[row * classes..(row + 1) * classes];
        let x = &answer.x[row * classes..(row + 1) * classes];
        let rate: f64 = speeds.iter().zip(x).map(|(speed, x)| speed * x).sum();
        let value = weight / rate;
        let costs: Vec<f64> = answer.prices.iter().map(|price| it.gang * price).collect();
        let busy: f64 = x.iter().sum();
        let full = (busy - 1.0).abs() <= ROUNDING;
        assert!(full || busy < 1.0, "row {row} takes {busy} of its time");
        let dear = speeds.iter().zip(&costs).map(|(speed, cost)| value * speed - cost).fold(0.0, f64::max);
        let time = if full { dear } else { 0.0 };
        let unit_cost = |class: usize| (costs[class] + time) / speeds[class];
        let least = (0..classes).map(unit_cost).fold(f64::INFINITY, f64::min);
        // `weight (ln (value / least) + least / value - 1)` and what is paid beyond the least, neither as a difference of
        // large numbers.
        let off = (value - least) / least;
        gap += weight * (libm::log1p(off) - off / (1.0 + off));
        gap += (0..classes).map(|class| x[class] * speeds[class] * (unit_cost(class) - least)).sum::<f64>();
        used.iter_mut().zip(x).for_each(|(used, x)| *used += it.gang * x);
        least_weight = weight.min(least_weight);
    }
    for (class, used) in used.iter().enumerate() {
        let left = program.supply[class].free - used;
        let filled = left.abs() <= ROUNDING * used;
        assert!(filled || (answer.prices[class] == 0.0 && left > 0.0), "class {class} has {left} left at a price");
    }
    // Half a unit in the last place for each row: roundings do not all point one way.
    let rounding = 0.5 * f64::EPSILON * f64::from(u32::try_from(program.rows.len()).expect("few"));
    libm::sqrt(2.0 * (gap.abs() + rounding) / least_weight)
}

#[test]
fn every_single_rate_is_right_to_a_millionth() {
    let mut worst = 0.0_f64;
    for (jobs, classes) in [(64, 3), (64, 8), (512, 3), (512, 8), (2048, 3)] {
        for seed in 1..8 {
            let program = Instance::new(Objective::Nash, jobs, classes, seed).program();
            let off = rates_off_by_at_most(&program, &solve(&program).expect("a proof"));
            assert!(off <= 1e-6, "{jobs} jobs, {classes} classes, seed {seed}: rates may be off by {off:e}");
            worst = worst.max(off);
        }
    }
    println!("off by at most {worst:e}");
}

#[test]
fn the_same_programme_has_the_same_answer_to_the_last_bit() {
    let program = Instance::new(Objective::Exchange, 1500, 3, 5).program();
    assert_eq!(solve(&program), solve(&program));
}

#[test]
fn numbers_without_meaning_are_refused() {
    type Spoil = fn(&mut Program, f64);
    let spoils: [Spoil; 6] = [
        |program, number| program.speeds[7] = number,
        |program, number| program.rows[3].gang = number,
        |program, number| program.rows[3].floor = number,
        |program, number| program.rows[2].aim = Aim::Log { weight: number },
        |program, number| program.supply[1].free = number,
        |program, number| program.supply[1].steps = vec![Step { ask: 1.0, devices: number }],
    ];
    for spoil in spoils {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0] {
            let mut program = Instance::new(Objective::Nash, 16, 3, 1).program();
            spoil(&mut program, number);
            let refused = solve(&program).expect_err("a number without meaning");
            assert!(matches!(refused, SolveError::Number { .. }), "{refused}");
        }
    }
}

/// The programme without a row, made anew.
fn without(program: &Program, row: usize) -> Program {
    let classes = program.supply.len();
    let mut others = program.clone();
    others.rows.remove(row);
    others.speeds.drain(row * classes..(row + 1) * classes);
    others
}

#[test]
fn payments_are_those_of_solves_from_nothing_and_every_one_is_proved() {
    let (mut cold, mut solves, mut apart) = (0, 0, 0.0_f64);
    for (jobs, classes) in [(2, 1), (64, 3), (64, 8), (256, 3), (256, 8)] {
        for seed in 1..5 {
            let program = Instance::new(Objective::Nash, jobs, classes, seed).program();
            let answer = solve(&program).expect("a proof");
            let found = payments(&program, &answer).expect("proofs");
            let mut others = LeaveOneOut::new(&program, &answer).expect("a product");
            for row in (0..jobs).step_by(jobs.div_ceil(32)) {
                let place = || format!("{jobs} jobs, {classes} classes, seed {seed}, without {row}");
                let it = others.without(row).expect("a proof");
                assert_eq!(it.program, without(&program, row), "{}", place());
                let proof = Certificate::of(&it.program, &it.answer);
                assert!(proof == it.answer.certificate && proof.holds(), "{}: {proof:?}", place());
                let slow = solve(&it.program).expect("a proof").certificate.objective;
                let log = answer.certificate.objective - libm::log(answer.rates[row]) - slow;
                apart = apart.max((found.log_kept[row] - log).abs());
                assert!((found.log_kept[row] - log).abs() <= 1e-6, "{}: {} is not {log}", place(), found.log_kept[row]);
                assert!(found.error[row] <= 1e-8, "{}: off by {}", place(), found.error[row]);
                assert!(found.log_kept[row] >= -1.0, "{}: {}", place(), found.log_kept[row]);
            }
            (cold, solves) = (cold + found.cold, solves + found.solves);
        }
    }
    println!("{cold} of {solves} from nothing; apart by at most {apart:e}");
    assert!(cold * 50 <= solves, "{cold} of {solves} were solved from nothing");
}

#[test]
fn alike_jobs_keep_what_theory_says_and_are_asked_once() {
    for jobs in 2..=40_u32 {
        let row = Row { aim: Aim::Log { weight: 3.0 }, gang: 2.0, floor: 0.0 };
        let rows = vec![row; jobs as usize];
        let supply = vec![Supply { free: 1.0, steps: Vec::new() }; 2];
        let program = Program { speeds: [1.0, 2.5].repeat(rows.len()), rows, supply };
        let found = payments(&program, &solve(&program).expect("a proof")).expect("proofs");
        let n = f64::from(jobs);
        let theory = (n - 1.0) * libm::log((n - 1.0) / n);
        assert_eq!(found.solves, 1);
        for log in found.log_kept {
            assert!((log - theory).abs() < 1e-9, "{jobs} jobs: {log} is not {theory}");
        }
    }
}

#[test]
fn a_heavier_weight_pays_by_the_unit_of_weight() {
    let row = |weight| Row { aim: Aim::Log { weight }, gang: 1.0, floor: 0.0 };
    let supply = vec![Supply { free: 1.0, steps: Vec::new() }];
    let program = Program { rows: vec![row(3.0), row(1.0)], speeds: vec![1.0, 4.0], supply };
    let found = payments(&program, &solve(&program).expect("a proof")).expect("proofs");
    // The one has three quarters; alone the other would have all.
    let theory = [libm::log(0.25) / 3.0, 3.0 * libm::log(0.75)];
    assert!(found.log_kept.iter().zip(theory).all(|(log, theory)| (log - theory).abs() < 1e-9), "{found:?}");
}

#[test]
fn degenerate_programmes_have_proved_payments_too() {
    let (mut cold, mut solves) = (0, 0);
    for seed in (0..1000).filter(|seed| (seed / KINDS).is_multiple_of(3)) {
        let program = degenerate(seed);
        let answer = solve(&program).expect("a proof");
        let found = payments(&program, &answer).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        for (row, (log, error)) in found.log_kept.iter().zip(&found.error).enumerate() {
            assert!(*log <= 0.0 && *log >= -1.0 - error && *error <= 1e-3, "seed {seed}, row {row}: {log} by {error}");
        }
        (cold, solves) = (cold + found.cold, solves + found.solves);
    }
    println!("{cold} of {solves} from nothing");
}

#[test]
fn payments_of_what_is_no_product_are_refused() {
    let program = Instance::new(Objective::Nash, 8, 2, 1).program();
    let answer = solve(&program).expect("a proof");
    type Spoil = fn(&mut Program);
    let spoils: [Spoil; 3] = [
        |program| program.rows[3].aim = Aim::Pay,
        |program| program.rows[3].floor = 1e-3,
        |program| program.supply[1].steps = vec![Step { ask: 1.0, devices: 1.0 }],
    ];
    for spoil in spoils {
        let mut program = program.clone();
        spoil(&mut program);
        let refused = payments(&program, &answer).expect_err("no product");
        assert!(matches!(refused, SolveError::NoProduct { .. }), "{refused}");
    }
}
