//! Share policies that are an order of jobs: an example of each that no other decides alike, and what all have in common.

mod worlds;

use scheduler::world::{DemandId, Millis, Rules, SharePolicy, Want};
use scheduler::{Why, plan, verify};
use worlds::life::{applied, later};
use worlds::{World, at, job, rules};

fn under(share_policy: SharePolicy) -> Rules {
    Rules { share_policy, phi_ppm: 1_000_000, notice: Millis::ZERO, ..rules() }
}

/// A job of one device and a unit per second, with all its work, what is done of it, and for how long it ran, in seconds.
fn add(world: World, number: u64, [work, done, received]: [i64; 3]) -> World {
    world.job(number, 1, &[("a100-80gb", 1000)]).change(|snapshot| {
        let Some(Want::Job(job)) = snapshot.demands.last_mut().map(|demand| &mut demand.want) else { return };
        (job.work, job.done) = (work * 1000, done * 1000);
        job.fairness.received = Millis::new(received * 1000);
    })
}

fn four() -> World {
    let world = World::new().node(1, "a100-80gb", 1, 100);
    let jobs = [[1000, 100, 150], [400, 10, 60], [2000, 1900, 1900], [3000, 0, 0]];
    (101..).zip(jobs).fold(world, |world, (number, times)| add(world, number, times))
}

fn runs(world: &World, rules: &Rules) -> Vec<DemandId> {
    let planned = plan(&world.snapshot, rules, world.snapshot.at, 0);
    assert_eq!(verify(&world.snapshot, rules, &planned), Ok(()), "{rules:?}");
    planned.grants.iter().filter(|grant| grant.why == Why::Entitled).map(|grant| grant.demand).collect()
}

#[test]
fn each_order_lets_another_job_run() {
    let orders = [SharePolicy::Fifo, SharePolicy::Sjf, SharePolicy::Srpt, SharePolicy::Las];
    for (policy, first) in orders.into_iter().zip([101, 102, 103, 104]) {
        assert_eq!(runs(&four(), &under(policy)), [job(first)], "{policy}");
    }
}

#[test]
fn work_is_compared_as_time_on_the_fastest_class() {
    let world = World::new().node(1, "a100-80gb", 1, 100);
    // 5000 units at 10 per second are sooner done than 1000 at 1.
    let world = world.job(101, 1, &[("a100-80gb", 1000)]).job(102, 1, &[("a100-80gb", 10_000)]).change(|snapshot| {
        for (demand, work) in snapshot.demands.iter_mut().zip([1_000_000, 5_000_000]) {
            let Want::Job(job) = &mut demand.want else { continue };
            job.work = work;
        }
    });
    for policy in [SharePolicy::Sjf, SharePolicy::Srpt] {
        assert_eq!(runs(&world, &under(policy)), [job(102)], "{policy}");
    }
    assert_eq!(runs(&world, &under(SharePolicy::Fifo)), [job(101)]);
}

#[test]
fn who_is_first_takes_the_fastest_class_and_stays_where_another_is_not_clearly_faster() {
    let rules = under(SharePolicy::Fifo);
    let two = World::new().node(1, "a100-80gb", 1, 100).node(2, "h100-80gb", 1, 100);
    let speeds = |h100| [("a100-80gb", 1000), ("h100-80gb", h100)];
    for (h100, moves) in [(1200, false), (1300, true)] {
        let mut world = two.clone().job(101, 1, &speeds(h100)).job(102, 1, &speeds(h100));
        let planned = plan(&world.snapshot, &rules, world.snapshot.at, 0);
        let class = |planned: &scheduler::plan::Plan, demand| {
            let grant = planned.grants.iter().find(|grant| grant.demand == demand).expect("it runs");
            grant.class.to_string()
        };
        assert_eq!(
            (class(&planned, job(101)).as_str(), class(&planned, job(102)).as_str()),
            ("h100-80gb", "a100-80gb")
        );
        world = applied(&world, &planned, &rules);
        worlds::life::close(&mut world, job(101));
        later(&mut world, at(worlds::MINUTE));
        let planned = plan(&world.snapshot, &rules, world.snapshot.at, 0);
        assert_eq!(
            class(&planned, job(102)) == "h100-80gb",
            moves,
            "a gain of {h100} in 1000 and a least of a quarter"
        );
    }
}

#[test]
fn a_gang_that_does_not_fit_is_passed_over_and_gets_its_devices_when_a_quantum_ends() {
    let rules = under(SharePolicy::Fifo);
    let mut world = World::new().node(1, "a100-80gb", 2, 100).job(103, 1, &[("a100-80gb", 1000)]);
    let planned = plan(&world.snapshot, &rules, world.snapshot.at, 0);
    world = applied(&world, &planned, &rules);
    // It came before the other, and was heard of later.
    world = world.job(101, 2, &[("a100-80gb", 2000)]);
    assert_eq!(runs(&world, &rules), [job(103)], "its quantum has begun");
    later(&mut world, at(worlds::MINUTE));
    assert_eq!(runs(&world, &rules), [job(101)]);
}
