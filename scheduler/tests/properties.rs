//! What must hold in every world, round after round.

mod worlds;

use proptest::prelude::*;
use scheduler::{RoundRecord, canonical, plan, replay, verify};
use worlds::life::applied;
use worlds::random::{Dice, Size, pass_time, random_rules, random_world, shuffled};

const ROUNDS: usize = 8;

fn sizes() -> impl Strategy<Value = Size> {
    (1..10_i64, 1..40_i64, prop::sample::select(vec![0_i64, 0, 10])).prop_map(|(nodes, demands, odd)| Size {
        nodes,
        demands,
        odd,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_of_every_life_passes_the_verifier(seed in any::<u64>(), size in sizes()) {
        let mut dice = Dice::new(seed);
        let rules = random_rules(&mut dice);
        let mut world = random_world(&mut dice, size);
        for round in 0..ROUNDS {
            let plan = plan(&world.snapshot, &rules, world.snapshot.at, 0);
            prop_assert_eq!(verify(&world.snapshot, &rules, &plan), Ok(()), "round {} of {:?}", round, rules);
            world = pass_time(applied(&world, &plan, &rules), &mut dice, size);
        }
    }

    #[test]
    fn the_order_of_the_snapshot_does_not_matter(seed in any::<u64>(), size in sizes()) {
        let mut dice = Dice::new(seed);
        let rules = random_rules(&mut dice);
        let mut world = random_world(&mut dice, size);
        for _ in 0..ROUNDS {
            let plan = plan(&world.snapshot, &rules, world.snapshot.at, 0);
            let other = shuffled(&world, &mut dice);
            let again = scheduler::plan(&other.snapshot, &rules, other.snapshot.at, 0);
            prop_assert_eq!(canonical(&plan).unwrap(), canonical(&again).unwrap());
            world = pass_time(applied(&world, &plan, &rules), &mut dice, size);
        }
    }

    #[test]
    fn a_record_replays_to_its_plan(seed in any::<u64>(), size in sizes()) {
        let mut dice = Dice::new(seed);
        let rules = random_rules(&mut dice);
        let world = random_world(&mut dice, size);
        let planned = plan(&world.snapshot, &rules, world.snapshot.at, seed);
        let record = RoundRecord::new(&world.snapshot, &rules, world.snapshot.at, seed, planned.clone());
        prop_assert_eq!(replay(&canonical(&record).unwrap()).unwrap(), planned);
    }
}
