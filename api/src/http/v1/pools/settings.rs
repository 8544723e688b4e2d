//! The settings of a pool, as an operator writes them.

use scheduler::world::rules::{PriceRule, SharePolicy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::pool_settings::{SettingOutOfRange, SettingsChange};
use crate::http::error::Problem;
use crate::http::field;

/// How fair-share jobs divide what is theirs.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SharePolicyName {
    /// Worst projected finish-time ratio first.
    FinishTimeFair,
    /// Least progress against the reference first.
    MaxMin,
    /// Least time received per weight first.
    EqualShare,
}

impl From<SharePolicyName> for SharePolicy {
    fn from(name: SharePolicyName) -> Self {
        match name {
            SharePolicyName::FinishTimeFair => Self::FinishTimeFair,
            SharePolicyName::MaxMin => Self::MaxMin,
            SharePolicyName::EqualShare => Self::EqualShare,
        }
    }
}

/// How the capacity beyond entitlement is priced.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PriceRuleName {
    /// One price per class and round.
    UniformPrice,
}

impl From<PriceRuleName> for PriceRule {
    fn from(name: PriceRuleName) -> Self {
        match name {
            PriceRuleName::UniformPrice => Self::UniformPrice,
        }
    }
}

/// Settings as they are written in a body; what is absent is not said.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) share_policy: Option<SharePolicyName>,
    pub(super) price_rule: Option<PriceRuleName>,
    pub(super) round_seconds: Option<i32>,
    pub(super) notice_seconds: Option<i32>,
    pub(super) min_run_seconds: Option<i32>,
    pub(super) restart_seconds: Option<i32>,
    pub(super) fee_bps: Option<i32>,
    pub(super) phi: Option<String>,
    pub(super) limit_cap_per_gpu_hour: Option<String>,
}

impl Written {
    /// Reads the decimals; the bounds of the figures are the use case's.
    pub(super) fn parse(self) -> Result<SettingsChange, Problem> {
        let cap = self.limit_cap_per_gpu_hour;
        Ok(SettingsChange {
            share_policy: self.share_policy.map(Into::into),
            price_rule: self.price_rule.map(Into::into),
            round_seconds: self.round_seconds,
            notice_seconds: self.notice_seconds,
            min_run_seconds: self.min_run_seconds,
            restart_seconds: self.restart_seconds,
            fee_bps: self.fee_bps,
            phi_ppm: self.phi.map(|text| field::share_ppm("phi", &text)).transpose()?,
            limit_cap: cap.map(|text| field::price("limit_cap_per_gpu_hour", &text)).transpose()?,
        })
    }
}

impl From<SettingOutOfRange> for Problem {
    fn from(error: SettingOutOfRange) -> Self {
        field::invalid(error.field, error)
    }
}
