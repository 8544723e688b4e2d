//! Which part of the history is asked for, and in what grain. Whatever is left out is chosen so that a chart can show it.

use serde::Deserialize;
use time::{Duration, OffsetDateTime};
use utoipa::IntoParams;

use crate::http::error::{Code, Problem};
use crate::http::wire::timestamp;

/// Points of an answer, at most.
const POINTS_MAX: i64 = 1000;
/// Points of an answer when the caller does not say.
const POINTS: i64 = 240;
/// What an answer reaches back when the caller does not say.
const REACH: Duration = Duration::hours(24);
/// Steps that are chosen from.
const STEPS: [i64; 14] = [10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400, 604_800];

/// The parameters of a price history.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PriceQuery {
    /// The device class.
    #[param(example = "h100-80gb")]
    pub class: String,
    /// Where to begin; a day before `to` when absent.
    #[param(example = "2026-01-31T00:00:00Z")]
    pub from: Option<String>,
    /// Where to end; now when absent.
    #[param(example = "2026-02-01T00:00:00Z")]
    pub to: Option<String>,
    /// Length of a point; chosen to give about 240 points when absent.
    #[param(minimum = 1, maximum = 604_800, example = 300)]
    pub step_seconds: Option<i64>,
}

/// A part of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub from: OffsetDateTime,
    pub to: OffsetDateTime,
    pub step_seconds: i32,
}

impl PriceQuery {
    pub(super) fn range(&self, now: OffsetDateTime) -> Result<Range, Problem> {
        let to = self.to.as_deref().map(|text| instant(text, "to")).transpose()?.unwrap_or(now);
        let from = self.from.as_deref().map(|text| instant(text, "from")).transpose()?;
        let from = from.unwrap_or_else(|| to.checked_sub(REACH).unwrap_or(to));
        if from >= to {
            return Err(refused("`from` lies before `to`", "from"));
        }
        let seconds = (to - from).whole_seconds();
        let step = self.step_seconds.unwrap_or_else(|| fitting(seconds));
        if !(1..=604_800).contains(&step) || seconds / step > POINTS_MAX {
            let least = (seconds / POINTS_MAX + 1).max(1);
            let detail =
                format!("for this range step_seconds is {least} to 604800: an answer has at most {POINTS_MAX} points");
            return Err(refused(detail, "step_seconds"));
        }
        Ok(Range { from, to, step_seconds: i32::try_from(step).unwrap_or(i32::MAX) })
    }
}

/// The shortest step that gives about as many points as a chart shows. A range of centuries gets longer ones.
fn fitting(seconds: i64) -> i64 {
    let step = STEPS.into_iter().find(|step| seconds / step <= POINTS);
    step.unwrap_or(604_800)
}

fn instant(text: &str, field: &str) -> Result<OffsetDateTime, Problem> {
    timestamp::parse(text).ok_or_else(|| refused("expected an RFC 3339 time such as 2026-01-31T12:00:00Z", field))
}

fn refused(detail: impl ToString, field: &str) -> Problem {
    Problem::new(Code::InvalidValue, detail).field(field)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2030-01-02 00:00 UTC);

    fn query(from: Option<&str>, to: Option<&str>, step_seconds: Option<i64>) -> PriceQuery {
        PriceQuery { class: "a".to_owned(), from: from.map(str::to_owned), to: to.map(str::to_owned), step_seconds }
    }

    #[test]
    fn without_parameters_it_is_the_last_day_in_a_grain_that_a_chart_shows() {
        let range = query(None, None, None).range(NOW).unwrap();
        assert_eq!(range, Range { from: datetime!(2030-01-01 00:00 UTC), to: NOW, step_seconds: 600 });
    }

    #[test]
    fn too_many_points_are_refused_with_the_least_step() {
        let refused = query(None, None, Some(1)).range(NOW).unwrap_err();
        assert!(refused.to_string().contains("step_seconds is 87 to"), "{refused}");
        assert!(query(None, None, Some(87)).range(NOW).is_ok());
        assert!(query(None, None, Some(0)).range(NOW).is_err());
    }

    #[test]
    fn a_range_goes_forward() {
        assert!(query(Some("2030-01-02T00:00:00Z"), None, None).range(NOW).is_err());
        assert!(query(Some("yesterday"), None, None).range(NOW).is_err());
        assert!(query(Some("0001-01-01T00:00:00Z"), None, None).range(NOW).is_err(), "centuries in weeks");
    }
}
