//! The course of time: arrivals, leases that end, applications that finish, and a rule asked whenever GPUs are free.

use super::{Active, Rule, View};
use crate::simulation::traces::pcs::App;

/// The cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cluster {
    /// GPUs, all alike.
    pub gpus: u32,
    /// How long a lease lasts, in seconds.
    pub lease_s: f64,
}

/// What held from one event to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// When it began, in seconds.
    pub from_s: f64,
    /// How long it lasted, in seconds.
    pub lasts_s: f64,
    /// GPUs on a lease.
    pub busy: u32,
    /// GPUs that were free while somebody could have used one.
    pub idle_in_demand: u32,
    /// Applications that had come and not finished.
    pub active: u32,
    /// The worst lag behind a private share, in seconds of that share.
    pub worst_lag_s: f64,
}

/// What came of a workload.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// When each application finished, in seconds.
    pub finish_s: Vec<f64>,
    /// The course of the cluster.
    pub spans: Vec<Span>,
    /// How often the rule was asked.
    pub rounds: u64,
    /// GPUs granted in all: each grant of one GPU for one lease counts.
    pub granted: u64,
    /// Of those that auctions divided, GPUs that winners did not keep.
    pub withheld: u64,
    /// GPUs that went back to bidders.
    pub returned: u64,
}

/// GPU-seconds below which work counts as done.
const DONE: f64 = 1e-6;

/// A rule gave more than there was, or more than an application can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the rule granted {granted} GPUs at a time when {free} were free, or more than an application can use")]
pub struct Overdrawn {
    granted: u32,
    free: u32,
}

struct Leased {
    active: Active,
    /// When each lease ends, and how many GPUs it is for.
    leases: Vec<(f64, u32)>,
}

/// Runs the applications (in order of arrival) to their end.
///
/// # Errors
/// The rule grants what is not there.
pub fn run(apps: &[App], cluster: Cluster, rule: &dyn Rule) -> Result<Outcome, Overdrawn> {
    let finish_s = vec![0.0; apps.len()];
    let mut outcome = Outcome { finish_s, spans: Vec::new(), rounds: 0, granted: 0, withheld: 0, returned: 0 };
    let mut running: Vec<Leased> = Vec::new();
    let mut come = 0;
    let mut now = 0.0;
    while come < apps.len() || !running.is_empty() {
        let next = next_event(&running, apps.get(come), now);
        if let Some(span) = span(&running, cluster, now, next) {
            outcome.spans.push(span);
        }
        advance(&mut running, cluster, next - now, next);
        now = next;
        running.retain(|leased| {
            let done = leased.active.left <= DONE;
            if done {
                outcome.finish_s[leased.active.app] = now;
            }
            !done
        });
        while let Some(app) = apps.get(come).filter(|app| app.arrival_s <= now) {
            running.push(Leased { active: app.arrives(come), leases: Vec::new() });
            come += 1;
        }
        grant(&mut running, cluster, now, rule, &mut outcome)?;
    }
    Ok(outcome)
}

fn next_event(running: &[Leased], arrival: Option<&App>, now: f64) -> f64 {
    let arrival = arrival.map_or(f64::INFINITY, |app| app.arrival_s);
    let events = running.iter().flat_map(|leased| {
        let finish = if leased.active.held > 0 {
            now + leased.active.left / f64::from(leased.active.held)
        } else {
            f64::INFINITY
        };
        leased.leases.iter().map(|(ends, _)| *ends).chain([finish])
    });
    events.fold(arrival, f64::min)
}

fn span(running: &[Leased], cluster: Cluster, from: f64, to: f64) -> Option<Span> {
    let busy: u32 = running.iter().map(|leased| leased.active.held).sum();
    let in_demand = running.iter().any(|leased| leased.active.held < leased.active.parallel);
    let active = u32::try_from(running.len()).unwrap_or(u32::MAX);
    let lag = |leased: &Leased| {
        let behind = leased.active.reference - (leased.active.work - leased.active.left);
        behind / f64::from(leased.active.parallel).min(f64::from(cluster.gpus) / f64::from(active))
    };
    (to > from).then(|| Span {
        from_s: from,
        lasts_s: to - from,
        busy,
        idle_in_demand: if in_demand { cluster.gpus - busy } else { 0 },
        active,
        worst_lag_s: running.iter().map(lag).fold(0.0, f64::max),
    })
}

/// Brings work, references and leases forward.
fn advance(running: &mut [Leased], cluster: Cluster, seconds: f64, now: f64) {
    let count = f64::from(u32::try_from(running.len()).unwrap_or(u32::MAX));
    for Leased { active, leases } in running {
        active.left -= f64::from(active.held) * seconds;
        let share = f64::from(active.parallel).min(f64::from(cluster.gpus) / count);
        let before = active.reference;
        active.reference = (before + share * seconds).min(active.work);
        if active.ideal_s.is_none() && active.reference >= active.work {
            active.ideal_s = Some(now - seconds + (active.work - before) / share - active.arrival_s);
        }
        leases.retain(|(ends, _)| *ends > now);
        active.held = leases.iter().map(|(_, gpus)| gpus).sum();
    }
}

/// Asks the rule, if anything is free that somebody can use.
fn grant(
    running: &mut [Leased],
    cluster: Cluster,
    now: f64,
    rule: &dyn Rule,
    outcome: &mut Outcome,
) -> Result<(), Overdrawn> {
    let free = cluster.gpus - running.iter().map(|leased| leased.active.held).sum::<u32>();
    let active: Vec<Active> = running.iter().map(|leased| leased.active.clone()).collect();
    if free == 0 || active.iter().all(|active| active.held == active.parallel) {
        return Ok(());
    }
    let given = rule.grant(&View { now_s: now, gpus: cluster.gpus, free, lease_s: cluster.lease_s, active: &active });
    let granted: u32 = given.gpus.iter().sum();
    if granted > free || active.iter().zip(&given.gpus).any(|(active, more)| active.held + more > active.parallel) {
        return Err(Overdrawn { granted, free });
    }
    for (leased, more) in running.iter_mut().zip(given.gpus).filter(|(_, more)| *more > 0) {
        leased.leases.push((now + cluster.lease_s, more));
        leased.active.held += more;
    }
    outcome.rounds += 1;
    outcome.granted += u64::from(granted);
    outcome.withheld += u64::from(given.withheld);
    outcome.returned += u64::from(given.returned);
    Ok(())
}
