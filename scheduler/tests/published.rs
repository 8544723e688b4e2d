//! Published workloads and figures, in the settings that were published. Needs the public data.

mod public;

use public::{data, told};
use scheduler::simulation::apps::auction::ThemisAuction;
use scheduler::simulation::apps::equal_share::EqualShare;
use scheduler::simulation::apps::finish_time_fair::FinishTimeFair;
use scheduler::simulation::apps::leases::{Cluster, run};
use scheduler::simulation::apps::queues::Queue;
use scheduler::simulation::apps::themis2::{Distributions, draw};
use scheduler::simulation::apps::{Rule, rho};
use scheduler::simulation::priority_rounds::{Setting, Task, play};
use scheduler::simulation::traces::pcs::{App, Cdf};
use scheduler::simulation::traces::shockwave;

fn count(name: &str, default: u64) -> u64 {
    told(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

fn percentile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = part * f64::from(u32::try_from(sorted.len() - 1).expect("few"));
    let ranked: Vec<(f64, f64)> =
        sorted.into_iter().zip(0_u32..).map(|(value, rank)| (value, f64::from(rank))).collect();
    let below = ranked.partition_point(|(_, rank)| *rank <= place) - 1;
    let above = ranked.get(below + 1).map_or(ranked[below].0, |(value, _)| *value);
    ranked[below].0 + (above - ranked[below].0) * (place - ranked[below].1)
}

const THEMIS2: Cluster = Cluster { gpus: 64, lease_s: 1200.0 };

fn themis2(seed: u64) -> Option<Vec<App>> {
    let cdf = |name: &str| Some(Cdf::parse(&data(&format!("pcs/cdf-{name}-themis2.csv"))?).expect("a distribution"));
    let distributions = Distributions {
        work: cdf("app-service-times")?,
        jobs: cdf("num-jobs-per-app")?,
        gpus_per_job: cdf("max-gpus-per-job")?,
    };
    Some(draw(&distributions, 200, 0.9, THEMIS2.gpus, seed))
}

/// Means over the seeds of the 95th percentile, the worst ratio and the part above 1.05; and device time idle in demand.
fn figures(sets: &[Vec<App>], rule: &dyn Rule) -> [f64; 4] {
    let each = sets.iter().map(|apps| {
        let outcome = run(apps, THEMIS2, rule).expect("no rule overdraws");
        let rho = rho::strict(apps, &outcome.finish_s, THEMIS2.gpus);
        let late = u32::try_from(rho.iter().filter(|rho| **rho > 1.05).count()).expect("few");
        let idle = outcome.spans.iter().map(|span| span.lasts_s * f64::from(span.idle_in_demand)).sum();
        [percentile(&rho, 0.95), rho.iter().copied().fold(0.0, f64::max), f64::from(late) / 200.0, idle]
    });
    let sets = f64::from(u32::try_from(sets.len()).expect("few"));
    each.fold([0.0; 4], |sum, one| [0, 1, 2, 3].map(|figure| sum[figure] + one[figure] / sets))
}

/// The 95th percentile, the worst ratio and the part above 1.05 of each seed.
#[expect(clippy::print_stdout, reason = "figures for the evaluation")]
fn tell_each(seeds: std::ops::Range<u64>, sets: &[Vec<App>]) {
    let rules: [(&str, &dyn Rule); 6] = [
        ("themis_auction", &ThemisAuction::default()),
        ("finish_time_fair", &FinishTimeFair),
        ("equal_share", &EqualShare),
        ("las", &Queue::Las),
        ("srpt", &Queue::Srpt),
        ("fifo", &Queue::Fifo),
    ];
    for (seed, set) in seeds.zip(sets) {
        for (name, rule) in rules {
            let [p95, worst, late, _] = figures(std::slice::from_ref(set), rule);
            println!("{seed} {name}: {p95:.3} {worst:.3} {late:.3}");
        }
    }
}

#[test]
fn auctions_are_fairer_than_the_baselines_and_leave_nothing_idle_in_demand() {
    let first = count("SOUK_THEMIS_FIRST", 0);
    let seeds = first..first + count("SOUK_THEMIS_SEEDS", 3);
    let Some(sets) = seeds.clone().map(themis2).collect::<Option<Vec<_>>>() else { return };
    if told("SOUK_THEMIS_FIRST").is_some() {
        tell_each(seeds, &sets);
    }
    let [p95, worst, late, idle] = figures(&sets, &ThemisAuction::default());
    assert!(p95 <= 1.20 && late <= 0.15 && idle == 0.0, "p95 {p95}, above 1.05 {late}, idle {idle}");
    for (rule, least) in
        [(&EqualShare as &dyn Rule, 0.10), (&Queue::Las, 0.25), (&Queue::Srpt, 0.25), (&Queue::Fifo, 0.90)]
    {
        let [other, ..] = figures(&sets, rule);
        assert!(p95 <= (1.0 - least) * other, "{p95} is not {least} below {other}");
    }
    let [fair_p95, fair_worst, ..] = figures(&sets, &FinishTimeFair);
    assert!(
        fair_p95 < p95 && fair_worst < worst,
        "finish_time_fair: {fair_p95}, {fair_worst}; auction: {p95}, {worst}"
    );
}

#[test]
fn shockwaves_own_simulation_of_max_min_fairness_is_met_within_two_percent() {
    let (Some(trace), Some(profile), Some(published)) = (
        data("shockwave/120_dynamic.trace"),
        data("shockwave/120_profile.csv"),
        data("shockwave/t120_32_published_per_job.csv"),
    ) else {
        return;
    };
    let lines = shockwave::trace(&trace).expect("the trace");
    let profile = shockwave::profile(&profile).expect("the profile");
    let task = |(place, line): (usize, &shockwave::Line)| Task {
        arrival_s: line.arrival_s,
        gang: line.gang,
        work_s: profile[&place].exclusive_s,
    };
    let tasks: Vec<Task> = lines.iter().enumerate().map(task).collect();
    let played = play(&tasks, Setting { devices: 32, round_s: 120.0, restart_s: 20.0 });
    let finishes: Vec<f64> = played.jobs.iter().map(|told| told.finish_s.expect("all finish")).collect();
    let completions: Vec<f64> = finishes.iter().zip(&tasks).map(|(finish, task)| finish - task.arrival_s).collect();
    for set in ["simulation", "fidelity"] {
        let wanted: Vec<f64> = published
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("{set},simulation,max_min_fairness,")))
            .map(|rest| rest.split(',').nth(1).expect("jct_s").parse().expect("a number"))
            .collect();
        assert_eq!(wanted.len(), tasks.len());
        let end = |completions: &[f64]| {
            completions.iter().zip(&tasks).map(|(time, task)| time + task.arrival_s).fold(0.0, f64::max)
        };
        let makespan = end(&completions) / end(&wanted);
        let mean = completions.iter().sum::<f64>() / wanted.iter().sum::<f64>();
        assert!((makespan - 1.0).abs() < 0.02 && (mean - 1.0).abs() < 0.02, "{set}: {makespan}, {mean}");
    }
}
