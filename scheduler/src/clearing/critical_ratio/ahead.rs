//! When everybody would finish if the order were followed to the end.
//!
//! All jobs that are there are played on by the rule itself, round by round, with what they are due held fixed, nobody else
//! coming, and the devices as one class. It is the same greedy order of whole gangs, so its finishes show what fluid forecasts
//! do not: who gets devices that are left over, and is done early.

use super::Due;

/// A schedule of more jobs times rounds is not played: it would take longer than a plan should.
const MOST: f64 = 150_000.0;

/// A job that is not done.
#[derive(Debug, Clone, Copy)]
struct Going {
    member: usize,
    ratio: f64,
    due: Due,
}

/// Rounds from now until each is done, 0 for those that cannot run; `None` for a schedule that is too long.
pub(super) fn finishes(due: &[Option<Due>], devices: f64) -> Option<Vec<f64>> {
    let known = due.iter().enumerate().filter_map(|(member, due)| Some(Going { member, ratio: 0.0, due: (*due)? }));
    let mut going: Vec<Going> = known.filter(|job| job.due.gang <= devices).collect();
    if size(&going, devices) > MOST {
        return None;
    }
    let mut finishes = vec![0.0; due.len()];
    let mut now = 0.0;
    while !going.is_empty() {
        serve(&mut going, devices);
        for job in going.iter_mut().filter(|job| job.due.runs) {
            if job.due.rounds <= 1.0 + 1e-9 {
                finishes[job.member] = now + job.due.rounds;
            }
            job.due.rounds -= 1.0;
        }
        going.retain(|job| job.due.rounds > 1e-9);
        for job in &mut going {
            job.due.reference -= 1.0;
        }
        now += 1.0;
    }
    Some(finishes)
}

/// About how many jobs times rounds there are to play.
fn size(going: &[Going], devices: f64) -> f64 {
    let longest = going.iter().map(|job| job.due.rounds).fold(0.0, f64::max);
    let all = going.iter().map(|job| job.due.rounds * job.due.gang).sum::<f64>() / devices.max(1.0);
    going.iter().map(|_| 1.0).sum::<f64>() * f64::max(longest, all)
}

/// Says who runs next: the largest ratios, as they fit.
fn serve(going: &mut [Going], devices: f64) {
    let mut room = devices;
    // Where there is room for all nobody need be compared.
    if going.iter().map(|job| job.due.gang).sum::<f64>() > devices {
        for job in &mut *going {
            job.ratio = job.due.ratio();
        }
        going.sort_by(|a, b| b.ratio.total_cmp(&a.ratio).then(a.member.cmp(&b.member)));
    }
    for job in going {
        job.due.runs = job.due.gang <= room;
        if job.due.runs {
            room -= job.due.gang;
        }
    }
}
