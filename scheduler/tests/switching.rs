//! A pool whose operator changes the share policy and its tilt while jobs run.

mod worlds;

use scheduler::world::{Rules, SharePolicy, Tilt};
use scheduler::{RoundRecord, canonical, plan, replay, verify};
use worlds::life::applied;
use worlds::random::{Dice, Size, pass_time, random_rules, random_world};

#[test]
fn every_round_of_a_pool_that_goes_through_all_policies_is_verified_and_replayed() {
    let size = Size { nodes: 6, demands: 30, odd: 0 };
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let before = random_rules(&mut dice);
        let mut world = random_world(&mut dice, size);
        // There and back again, so that each policy takes over from two others.
        let there = SharePolicy::ALL.iter().chain(SharePolicy::ALL.iter().rev());
        for (share_policy, tilt) in there.zip([Tilt::Fair, Tilt::Fast, Tilt::Fast].iter().cycle()) {
            let rules = Rules { share_policy: *share_policy, tilt: *tilt, ..before.clone() };
            let now = world.snapshot.at;
            let planned = plan(&world.snapshot, &rules, now, seed);
            assert_eq!(verify(&world.snapshot, &rules, &planned), Ok(()), "seed {seed}, {rules:?}");
            let record = RoundRecord::new(&world.snapshot, &rules, now, seed, planned.clone());
            assert_eq!(replay(&canonical(&record).unwrap()).unwrap(), planned, "seed {seed}, {rules:?}");
            let settled = applied(&world, &planned, &rules);
            let again = plan(&settled.snapshot, &rules, now, seed);
            assert!(again.evictions.is_empty(), "seed {seed}, {rules:?}: {:?}", again.evictions);
            assert!(again.grants.iter().all(|grant| grant.continues), "seed {seed}, {rules:?}");
            world = pass_time(settled, &mut dice, size);
        }
    }
}
