//! What the programme leans to: the numbers that were chosen by playing traces, and what ratios are measured against.
//! docs/EVALUATION.md tells what they reach, on the traces that they were chosen on and on others.

use super::laxity::Urge;
use crate::clearing::forecast::Outlook;

/// What the programme leans to.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The ratio to stay below.
    pub goal: f64,
    /// How steeply lateness counts.
    pub sharpness: f64,
    /// Weight of jobs that determine the end of the schedule.
    pub tail: f64,
    /// Preference for what is soon done.
    pub short: f64,
    /// Preference for whoever runs already, on whatever class.
    pub keep: f64,
    /// Preference for the class a job runs on, once it is known who runs.
    pub stay: f64,
    /// What ratios are against.
    pub against: Against,
    /// How lack of laxity counts, if it does.
    pub urge: Option<Urge>,
}

/// What a ratio compares with.
#[derive(Debug, Clone, Copy)]
pub enum Against {
    /// The demand-aware reference.
    Reference,
    /// A share at the mean number of jobs.
    MeanShare,
    /// A share at the mean number of jobs, or this part of the ratio against the reference, whichever is missed by more.
    Either(f64),
    /// The reference, or this part of an equal share of time whatever the gang, whichever is missed by more.
    Time(f64),
}

impl Against {
    /// A job's projected ratio, above 0.
    pub fn ratio(self, outlook: &Outlook) -> f64 {
        let ratio = match self {
            Self::Reference => outlook.rho,
            Self::MeanShare => outlook.rho_avg,
            Self::Either(part) => outlook.rho_avg.max(part * outlook.rho),
            Self::Time(part) => outlook.rho.max(part * outlook.rho_time),
        };
        ratio.max(f64::MIN_POSITIVE)
    }
}

/// Keeps every strict ratio at or below one on the published traces, while nobody comes.
pub const FAIR: Setting = Setting {
    goal: 0.97,
    sharpness: 20.0,
    tail: 2.0,
    short: 0.15,
    keep: 0.6,
    stay: 0.2,
    against: Against::Reference,
    urge: Some(Urge { weight: 3.0, patience: 5.0, least: 0.96, against: Against::Reference }),
};
/// A third below one against the mean crowd where all can be, and a fifth off the mean completion, while nobody comes.
pub const FAST: Setting = Setting {
    goal: 0.78,
    sharpness: 10.7,
    tail: 0.31,
    short: 0.15,
    keep: 0.65,
    stay: 0.115,
    against: Against::MeanShare,
    urge: Some(Urge { weight: 4.0, patience: 4.7, least: 0.63, against: Against::MeanShare }),
};
/// Under both tilts, while others keep coming: the end of the schedule is not in sight, and there is room to be early.
pub const OPEN: Setting = Setting {
    goal: 0.75,
    sharpness: 6.0,
    tail: 0.1,
    short: 0.3,
    keep: 2.0,
    stay: 0.1,
    against: Against::Either(0.8),
    urge: Some(Urge { weight: 3.0, patience: 2.0, least: 0.8, against: Against::Either(1.0) }),
};
/// On devices that are alike, where starts are dear: gangs no longer wait than others, and long jobs begin early.
pub const SPARING: Setting = Setting {
    goal: 0.97,
    sharpness: 6.0,
    tail: 10.0,
    short: 0.15,
    keep: 1.0,
    stay: 0.2,
    against: Against::Time(0.8),
    urge: None,
};

/// A setting on the way to another.
#[derive(Debug, Clone, Copy)]
pub struct Leaning {
    closed: Setting,
    open: Setting,
    /// From 0, the first, to 1, the other.
    openness: f64,
}

impl Leaning {
    /// `openness` of the way from one setting to the other.
    pub fn new(closed: Setting, open: Setting, openness: f64) -> Self {
        Self { closed, open, openness }
    }

    /// A number on the way.
    pub fn number(&self, of: fn(&Setting) -> f64) -> f64 {
        of(&self.closed) + (of(&self.open) - of(&self.closed)) * self.openness
    }

    /// The weight of those who determine the end, which spans magnitudes.
    pub fn tail(&self) -> f64 {
        between(self.closed.tail, self.open.tail, self.openness)
    }

    /// How lack of laxity counts here: what of either end holds, and how much of it.
    pub fn urges(&self) -> impl Iterator<Item = (f64, Urge)> {
        let ends = [(1.0 - self.openness, self.closed.urge), (self.openness, self.open.urge)];
        ends.into_iter().filter(|(part, _)| *part > 0.0).filter_map(|(part, urge)| Some((part, urge?)))
    }

    /// A job's projected ratio.
    pub fn ratio(&self, outlook: &Outlook) -> f64 {
        between(self.closed.against.ratio(outlook), self.open.against.ratio(outlook), self.openness)
    }
}

/// From one positive number to another by equal factors.
fn between(from: f64, to: f64, part: f64) -> f64 {
    from * libm::pow(to / from, part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlook(rho: f64, rho_avg: f64) -> Outlook {
        Outlook { alone: 1.0, volume: 1.0, size: 1.0, finish: 1.0, rho, rho_avg, rho_time: 0.0 }
    }

    #[test]
    fn a_closed_pool_leans_to_its_tilt_and_an_open_one_to_both_ratios() {
        let at = |openness| Leaning::new(FAIR, OPEN, openness);
        assert!((at(0.0).ratio(&outlook(0.9, 0.5)) - 0.9).abs() < 1e-12);
        assert!((at(1.0).ratio(&outlook(0.9, 0.5)) - 0.72).abs() < 1e-12, "a large gang's strict ratio still counts");
        assert!((at(1.0).ratio(&outlook(0.9, 0.8)) - 0.8).abs() < 1e-12);
        assert!((at(0.5).number(|setting| setting.goal) - 0.86).abs() < 1e-12);
        assert!((at(0.5).tail() - libm::sqrt(0.2)).abs() < 1e-12);
    }
}
