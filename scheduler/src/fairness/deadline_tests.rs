use super::super::weight::counting;
use super::*;
use proptest::prelude::*;

/// `M` places of one kind and jobs of one gang: the setting of the theorem, quantum by quantum.
#[derive(Default)]
struct Fluid {
    places: i64,
    jobs: Vec<Worker>,
}

#[derive(Clone, Copy)]
struct Worker {
    wanted: i32,
    counted: i32,
    at: Entitlement,
    gone: bool,
}

impl Fluid {
    fn join(&mut self, weight: i32) {
        let at = Entitlement { credit: 0, share: 0 };
        self.jobs.push(Worker { wanted: weight, counted: 0, at, gone: false });
    }

    fn leave(&mut self, index: usize) {
        self.jobs[index].gone = true;
        self.jobs[index].wanted = 0;
    }

    /// One quantum: shares, then service in order of window, then the bookkeeping. Returns the largest lag.
    fn quantum(&mut self) -> i64 {
        for job in &mut self.jobs {
            job.counted = counting(job.counted, job.wanted, job.at.credit);
        }
        self.jobs.retain(|job| job.counted > 0);
        let total: i64 = self.jobs.iter().map(|job| i64::from(job.counted)).sum();
        for job in &mut self.jobs {
            let share = i128::from(job.counted) * i128::from(self.places) * i128::from(QUANTUM) / i128::from(total);
            job.at.share = i64::try_from(share).expect("fits").min(QUANTUM);
        }
        let mut order: Vec<(Window, usize)> = self
            .jobs
            .iter()
            .enumerate()
            .filter(|(_, job)| !job.gone)
            .filter_map(|(index, job)| job.at.window().map(|window| (window, index)))
            .collect();
        order.sort();
        let served: Vec<usize> =
            order.iter().take(usize::try_from(self.places).expect("few")).map(|(_, index)| *index).collect();
        for (index, job) in self.jobs.iter_mut().enumerate() {
            let received = if served.contains(&index) { QUANTUM } else { 0 };
            job.at.credit += job.at.share - received;
        }
        self.jobs.iter().filter(|job| !job.gone).map(|job| job.at.credit).max().unwrap_or(0)
    }
}

fn window(credit_ppm: i64, share_ppm: i64) -> Option<Window> {
    Entitlement { credit: credit_ppm * 1_000_000, share: share_ppm * 1_000_000 }.window()
}

#[test]
fn the_windows_of_two_fifths_are_those_of_the_drawing() {
    let at = |credit_ppm| window(credit_ppm, 400_000).expect("due");
    assert_eq!((at(0).deadline, at(0).overlaps), (3, true));
    assert_eq!(window(-600_000, 400_000), None, "nothing of quantum 1 is due before time 2");
    assert_eq!(
        (at(-200_000).deadline, at(-200_000).overlaps),
        (3, false),
        "quantum 1 at time 2 ends at 5, where quantum 2 begins"
    );
}

#[test]
fn group_deadlines_follow_the_published_example() {
    // Weight 8/11: windows of its subtasks 1..8 end at 2, 3, 5, 6, 7, 9, 10, 11, and its group deadlines are 4, 4, 8, 8, 8, 11, 11, 11.
    let share = QUANTUM * 8 / 11;
    for (received, now, deadline, chain_ends) in [
        (0, 0, 2, 4),
        (1, 1, 3, 4),
        (2, 2, 5, 8),
        (3, 4, 6, 8),
        (4, 5, 7, 8),
        (5, 6, 9, 11),
        (6, 8, 10, 11),
        (7, 9, 11, 11),
    ] {
        let credit = i64::try_from(i128::from(QUANTUM) * 8 * now / 11).expect("fits") - received * QUANTUM;
        let now = i64::try_from(now).expect("small");
        let found = Entitlement { credit, share }.window().expect("due");
        assert_eq!((now + found.deadline, now + found.chain_ends), (deadline, chain_ends), "quantum {received}");
    }
}

#[test]
fn a_third_three_times_is_a_whole() {
    let found = Entitlement { credit: 0, share: QUANTUM / 3 }.window().expect("due");
    assert_eq!((found.deadline, found.overlaps), (3, false));
}

#[test]
fn who_is_late_goes_before_who_is_not() {
    assert!(window(1_500_000, 100_000) < window(900_000, 999_000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_job_falls_a_quantum_behind(places in 1..8_i64, weights in prop::collection::vec(1..5000_i32, 1..24)) {
        let mut fluid = Fluid { places, ..Fluid::default() };
        weights.iter().for_each(|weight| fluid.join(*weight));
        for quantum in 0..400 {
            let lag = fluid.quantum();
            prop_assert!(lag < QUANTUM, "lag {} after quantum {}", lag, quantum);
        }
    }

    #[test]
    fn nor_when_jobs_come_and_go_and_change_weight(
        places in 1..8_i64,
        weights in prop::collection::vec(1..5000_i32, 1..16),
        events in prop::collection::vec((0..4_u8, 0..64_usize, 1..5000_i32), 400),
    ) {
        let mut fluid = Fluid { places, ..Fluid::default() };
        weights.iter().for_each(|weight| fluid.join(*weight));
        for (quantum, (kind, index, weight)) in events.into_iter().enumerate() {
            let index = index % fluid.jobs.len().max(1);
            match kind {
                0 => fluid.join(weight),
                1 if index < fluid.jobs.len() => fluid.leave(index),
                2 if index < fluid.jobs.len() && !fluid.jobs[index].gone => fluid.jobs[index].wanted = weight,
                _ => {}
            }
            let lag = fluid.quantum();
            prop_assert!(lag < QUANTUM, "lag {} after quantum {}", lag, quantum);
        }
    }
}
