//! How much of what tenants paid is the provider's, and device-hours as decimals. Pure.

use scheduler::world::money::Micros;

use crate::store::StoreError;
use crate::store::earnings::Earned;

impl Earned {
    /// What the provider keeps.
    pub fn net(&self) -> Result<Micros, StoreError> {
        self.gross.checked_sub(self.fee).ok_or_else(|| StoreError::corrupt("usage", "the fee is larger than the price"))
    }

    /// Device-hours to the millionth, rounded half up: the milliseconds behind them are exact.
    #[must_use]
    pub fn device_hours(&self) -> Micros {
        const HOUR: i128 = 3_600_000;
        let millionths = (i128::from(self.device_milliseconds) * 1_000_000 + HOUR / 2) / HOUR;
        Micros::new(i64::try_from(millionths).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::earnings::Group;

    fn earned(device_milliseconds: i64) -> Earned {
        Earned { group: Group::All, gross: Micros::new(10), fee: Micros::new(3), device_milliseconds }
    }

    #[test]
    fn thirty_minutes_of_four_and_twenty_of_one_are_two_and_a_third_device_hours() {
        let milliseconds = 4 * 30 * 60_000 + 20 * 60_000;
        assert_eq!(earned(milliseconds).device_hours().to_string(), "2.333333");
        assert_eq!(earned(3_600_000).device_hours().to_string(), "1.00");
        assert_eq!(earned(1).device_hours().to_string(), "0.00");
        assert_eq!(earned(2).device_hours().to_string(), "0.000001");
        assert_eq!(earned(0).net().unwrap(), Micros::new(7));
    }
}
