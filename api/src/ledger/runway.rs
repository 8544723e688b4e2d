//! How long a wallet's money lasts at the present rate, and when to warn.

use scheduler::world::money::Micros;

/// What a wallet has for its running rentals, and how fast they use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runway {
    /// What is available, and what is set aside for the rentals counted in `burn_per_hour`.
    pub money: Micros,
    /// What those rentals cost per hour. Jobs are not among them: they run on budgets of their own.
    pub burn_per_hour: Micros,
}

/// How near the end of the money is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// Less than a day.
    Day,
    /// Less than an hour.
    Hour,
    /// Less than ten minutes.
    TenMinutes,
}

impl Warning {
    /// All warnings, the mildest first.
    pub const ALL: [Self; 3] = [Self::Day, Self::Hour, Self::TenMinutes];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "24h",
            Self::Hour => "1h",
            Self::TenMinutes => "10min",
        }
    }

    /// The warning of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|warning| warning.as_str() == name)
    }

    const fn below_seconds(self) -> i64 {
        match self {
            Self::Day => 24 * 3600,
            Self::Hour => 3600,
            Self::TenMinutes => 600,
        }
    }
}

impl Runway {
    /// Whole seconds until the money is used up; `None` while nothing uses it.
    #[must_use]
    pub fn seconds(&self) -> Option<i64> {
        if self.burn_per_hour <= Micros::ZERO {
            return None;
        }
        let seconds = i128::from(self.money.get().max(0)) * 3600 / i128::from(self.burn_per_hour.get());
        Some(i64::try_from(seconds).unwrap_or(i64::MAX))
    }

    /// The most urgent warning that applies.
    #[must_use]
    pub fn warning(&self) -> Option<Warning> {
        let seconds = self.seconds()?;
        Warning::ALL.into_iter().rev().find(|warning| seconds < warning.below_seconds())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runway(money: i64, burn: i64) -> Runway {
        Runway { money: Micros::new(money), burn_per_hour: Micros::new(burn) }
    }

    #[test]
    fn money_lasts_forever_while_nothing_runs() {
        assert_eq!((runway(1, 0).seconds(), runway(0, 0).warning()), (None, None));
    }

    #[test]
    fn the_most_urgent_warning_counts() {
        for (hours_of_money, warning) in [
            (25.0, None),
            (24.0, None),
            (23.9, Some(Warning::Day)),
            (1.0, Some(Warning::Day)),
            (0.9, Some(Warning::Hour)),
            (0.1, Some(Warning::TenMinutes)),
            (0.0, Some(Warning::TenMinutes)),
        ] {
            let tenths: i64 = format!("{:.0}", hours_of_money * 10.0).parse().unwrap();
            assert_eq!(runway(tenths * 250_000, 2_500_000).warning(), warning, "{hours_of_money} h");
        }
    }
}
