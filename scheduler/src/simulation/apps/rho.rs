//! Finish-time ratios after the fact, against the demand-aware reference: a private equal share of the cluster among those
//! that had come and not finished, at most what the application can use.

use crate::simulation::traces::pcs::App;

/// The ratio of each application: the time it took over the time its reference would have taken.
///
/// The reference counts those who were really there; after its own finish the application still counts itself.
#[must_use]
pub fn strict(apps: &[App], finish_s: &[f64], gpus: u32) -> Vec<f64> {
    let mut times: Vec<f64> = apps.iter().map(|app| app.arrival_s).chain(finish_s.iter().copied()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let there: Vec<u32> = times.iter().map(|time| active_at(apps, finish_s, *time)).collect();
    let ratios = apps.iter().zip(finish_s).map(|(app, finish)| {
        let start = times.partition_point(|time| *time < app.arrival_s);
        (finish - app.arrival_s) / reference_s(app, *finish, gpus, &times[start..], &there[start..])
    });
    ratios.collect()
}

fn active_at(apps: &[App], finish_s: &[f64], time: f64) -> u32 {
    let there = apps.iter().zip(finish_s).filter(|(app, finish)| app.arrival_s <= time && **finish > time);
    u32::try_from(there.count()).unwrap_or(u32::MAX)
}

fn reference_s(app: &App, finish: f64, gpus: u32, times: &[f64], there: &[u32]) -> f64 {
    let mut left = app.work;
    for (place, (time, there)) in times.iter().zip(there).enumerate() {
        let count = f64::from(there + u32::from(*time >= finish)).max(1.0);
        let share = f64::from(app.parallel).min(f64::from(gpus) / count);
        let lasts = times.get(place + 1).map_or(f64::INFINITY, |next| next - time);
        if share * lasts >= left {
            return time + left / share - app.arrival_s;
        }
        left -= share * lasts;
    }
    f64::INFINITY
}
