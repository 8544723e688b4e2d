//! The settings of a pool, as an operator writes them.

use scheduler::world::rules::{PriceRule, SharePolicy, Tilt};
use serde::{Deserialize as _, Deserializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::app::pool_settings::{SettingOutOfRange, SettingsChange};
use crate::http::error::Problem;
use crate::http::field;
use crate::http::openapi::names_schema;
use crate::job::parse_cap;

/// The names of the share policies, for the description of the API: the planner's own list, so that neither lacks one of
/// the other's.
#[derive(Debug)]
pub struct SharePolicyName;

impl ToSchema for SharePolicyName {}

impl PartialSchema for SharePolicyName {
    fn schema() -> RefOr<Schema> {
        let names = SharePolicy::ALL.iter().map(|policy| policy.as_str());
        names_schema("How fair-share jobs divide what is theirs: docs/policies has a page for each.", names)
    }
}

/// The names of the tilts, likewise.
#[derive(Debug)]
pub struct TiltName;

impl ToSchema for TiltName {}

impl PartialSchema for TiltName {
    fn schema() -> RefOr<Schema> {
        let names = Tilt::ALL.iter().map(|tilt| tilt.as_str());
        names_schema(
            "What the share policy `finish_time_fair` leans to: nobody later than on a private share, or everybody soon.",
            names,
        )
    }
}

/// The names of the price rules, likewise.
#[derive(Debug)]
pub struct PriceRuleName;

impl ToSchema for PriceRuleName {}

impl PartialSchema for PriceRuleName {
    fn schema() -> RefOr<Schema> {
        names_schema("How the rest is priced.", PriceRule::ALL.iter().map(|rule| rule.as_str()))
    }
}

/// Settings as they are written in a body; what is absent is not said.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) share_policy: Option<SharePolicy>,
    pub(super) tilt: Option<Tilt>,
    pub(super) price_rule: Option<PriceRule>,
    pub(super) round_seconds: Option<i32>,
    pub(super) notice_seconds: Option<i32>,
    pub(super) min_run_seconds: Option<i32>,
    pub(super) restart_seconds: Option<i32>,
    pub(super) fee_bps: Option<i32>,
    pub(super) phi: Option<String>,
    pub(super) limit_cap_per_gpu_hour: Option<String>,
    pub(super) admission_cap: Option<Option<String>>,
}

/// Tells null from absent.
pub(super) fn said<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(text).map(Some)
}

impl Written {
    /// Reads the decimals; the bounds of the figures are the use case's.
    pub(super) fn parse(self) -> Result<SettingsChange, Problem> {
        let cap = self.limit_cap_per_gpu_hour;
        Ok(SettingsChange {
            share_policy: self.share_policy,
            tilt: self.tilt,
            price_rule: self.price_rule,
            round_seconds: self.round_seconds,
            notice_seconds: self.notice_seconds,
            min_run_seconds: self.min_run_seconds,
            restart_seconds: self.restart_seconds,
            fee_bps: self.fee_bps,
            phi_ppm: self.phi.map(|text| field::share_ppm("phi", &text)).transpose()?,
            limit_cap: cap.map(|text| field::price("limit_cap_per_gpu_hour", &text)).transpose()?,
            admission_cap_milli: match self.admission_cap {
                None => None,
                Some(None) => Some(None),
                Some(Some(text)) => {
                    Some(Some(parse_cap(&text).map_err(|error| field::invalid("admission_cap", error))?))
                }
            },
        })
    }
}

impl From<SettingOutOfRange> for Problem {
    fn from(error: SettingOutOfRange) -> Self {
        field::invalid(error.field, error)
    }
}
