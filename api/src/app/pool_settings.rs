//! What an operator may set about a pool: the defaults, and the bounds of every figure. Pure.

use scheduler::world::money::PricePerHour;
use scheduler::world::rules::{PriceRule, SharePolicy, Tilt};

use crate::store::pools::PoolSettings;

/// The largest limit of a new pool: 100 per device and hour.
const LIMIT_CAP_MICROS: i64 = 100_000_000;

/// A figure outside of its bounds. The field is named as in the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {least} to {most}")]
pub struct SettingOutOfRange {
    /// Which figure.
    pub field: &'static str,
    /// The least.
    pub least: i32,
    /// The most.
    pub most: i32,
}

/// Settings to change; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettingsChange {
    /// How fair-share jobs divide what is theirs.
    pub share_policy: Option<SharePolicy>,
    /// What `finish_time_fair` leans to.
    pub tilt: Option<Tilt>,
    /// How the rest is priced.
    pub price_rule: Option<PriceRule>,
    /// Time between rounds.
    pub round_seconds: Option<i32>,
    /// How long a preempted rental keeps running.
    pub notice_seconds: Option<i32>,
    /// How long a rental runs before it can be preempted.
    pub min_run_seconds: Option<i32>,
    /// What a restart costs a job.
    pub restart_seconds: Option<i32>,
    /// The marketplace's part of every charge.
    pub fee_bps: Option<i32>,
    /// The part of every class that fair-share jobs own together.
    pub phi_ppm: Option<i32>,
    /// The largest limit that a bid may carry.
    pub limit_cap: Option<PricePerHour>,
    /// The most that the weights of jobs may add up to, in thousandths; `Some(None)` takes the cap away.
    pub admission_cap_milli: Option<Option<i64>>,
}

/// A new pool's settings: every period follows from the time between rounds.
///
/// # Errors
/// [`SettingOutOfRange`] for a period that no pool can have.
pub fn paced(round_seconds: i32) -> Result<PoolSettings, SettingOutOfRange> {
    let limit_cap = PricePerHour::from_micros(LIMIT_CAP_MICROS).expect("the cap is above zero");
    checked(PoolSettings {
        share_policy: SharePolicy::FinishTimeFair,
        tilt: Tilt::Fair,
        price_rule: PriceRule::UniformPrice,
        round_seconds,
        notice_seconds: round_seconds,
        min_run_seconds: round_seconds.saturating_mul(5).min(DAY),
        restart_seconds: round_seconds / 6,
        fee_bps: 500,
        phi_ppm: 300_000,
        limit_cap,
        admission_cap_milli: None,
    })
}

impl SettingsChange {
    /// The settings after the change.
    ///
    /// # Errors
    /// [`SettingOutOfRange`] names the first figure that a pool cannot have.
    pub fn apply(&self, to: &PoolSettings) -> Result<PoolSettings, SettingOutOfRange> {
        checked(PoolSettings {
            share_policy: self.share_policy.unwrap_or(to.share_policy),
            tilt: self.tilt.unwrap_or(to.tilt),
            price_rule: self.price_rule.unwrap_or(to.price_rule),
            round_seconds: self.round_seconds.unwrap_or(to.round_seconds),
            notice_seconds: self.notice_seconds.unwrap_or(to.notice_seconds),
            min_run_seconds: self.min_run_seconds.unwrap_or(to.min_run_seconds),
            restart_seconds: self.restart_seconds.unwrap_or(to.restart_seconds),
            fee_bps: self.fee_bps.unwrap_or(to.fee_bps),
            phi_ppm: self.phi_ppm.unwrap_or(to.phi_ppm),
            limit_cap: self.limit_cap.unwrap_or(to.limit_cap),
            admission_cap_milli: self.admission_cap_milli.unwrap_or(to.admission_cap_milli),
        })
    }
}

/// Seconds in a day: the longest period of a pool.
const DAY: i32 = 86_400;

fn checked(settings: PoolSettings) -> Result<PoolSettings, SettingOutOfRange> {
    for (field, value, least, most) in [
        ("round_seconds", settings.round_seconds, 1, DAY),
        ("notice_seconds", settings.notice_seconds, 0, DAY),
        ("min_run_seconds", settings.min_run_seconds, 0, DAY),
        ("restart_seconds", settings.restart_seconds, 0, DAY),
        ("fee_bps", settings.fee_bps, 0, 5_000),
        ("phi", settings.phi_ppm, 0, 1_000_000),
    ] {
        if !(least..=most).contains(&value) {
            return Err(SettingOutOfRange { field, least, most });
        }
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_touches_what_it_names_and_nothing_else() {
        let before = paced(60).unwrap();
        assert_eq!(SettingsChange::default().apply(&before).unwrap(), before);
        let change = SettingsChange { fee_bps: Some(0), ..SettingsChange::default() };
        assert_eq!(change.apply(&before).unwrap(), PoolSettings { fee_bps: 0, ..before });
    }

    #[test]
    fn figures_outside_their_bounds_are_named() {
        let before = paced(60).unwrap();
        let changes = [
            ("round_seconds", SettingsChange { round_seconds: Some(0), ..SettingsChange::default() }),
            ("notice_seconds", SettingsChange { notice_seconds: Some(-1), ..SettingsChange::default() }),
            ("min_run_seconds", SettingsChange { min_run_seconds: Some(86_401), ..SettingsChange::default() }),
            ("restart_seconds", SettingsChange { restart_seconds: Some(i32::MIN), ..SettingsChange::default() }),
            ("fee_bps", SettingsChange { fee_bps: Some(5_001), ..SettingsChange::default() }),
        ];
        for (field, change) in changes {
            assert_eq!(change.apply(&before).unwrap_err().field, field);
        }
    }

    #[test]
    fn every_pace_that_a_pool_can_have_gives_settings_that_it_can_have() {
        for round_seconds in [1, 5, 15, 60, 3600, DAY] {
            assert!(paced(round_seconds).is_ok(), "{round_seconds}");
        }
        assert!(paced(0).is_err());
    }
}
