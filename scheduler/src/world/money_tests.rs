use super::*;
use proptest::prelude::*;

#[test]
fn decimals_are_read_exactly() {
    for (text, micros) in [
        ("0.29", 290_000),
        ("1.005", 1_005_000),
        ("64.10", 64_100_000),
        ("64.1", 64_100_000),
        ("0", 0),
        ("007", 7_000_000),
        ("0.000001", 1),
        ("9223372036854.775807", i64::MAX),
    ] {
        assert_eq!(text.parse::<Micros>(), Ok(Micros::new(micros)), "{text}");
    }
}

#[test]
fn what_is_not_a_plain_decimal_is_refused() {
    for text in [
        "-1.50", "-0", "+1", "NaN", "inf", "1e3", "1E3", "", ".", ".5", "5.", "1,000", "1_000", " 1", "1 ", "0x10",
        "１",
    ] {
        assert_eq!(text.parse::<Micros>(), Err(MoneyError::NotDecimal), "{text:?}");
    }
    assert_eq!("0.0000001".parse::<Micros>(), Err(MoneyError::TooPrecise));
    assert_eq!("9223372036854.775808".parse::<Micros>(), Err(MoneyError::TooLarge));
    assert_eq!("1234567890123456789012345678901234567890".parse::<Micros>(), Err(MoneyError::TooLarge));
    assert_eq!("0.00".parse::<PricePerHour>(), Err(MoneyError::NotPositive));
}

#[test]
fn amounts_are_shown_with_two_decimals_or_more() {
    for (micros, text) in [
        (0, "0.00"),
        (290_000, "0.29"),
        (1_005_000, "1.005"),
        (64_100_000, "64.10"),
        (-1, "-0.000001"),
        (i64::MIN, "-9223372036854.775808"),
    ] {
        assert_eq!(Micros::new(micros).to_string(), text);
    }
}

#[test]
fn thirty_minutes_of_four_and_twenty_of_one_is_two_and_a_third_device_hours() {
    let price: PricePerHour = "3.00".parse().expect("a price");
    let minutes = |n: i64| Millis::new(n * 60_000);
    let (first, residue) = charge(price, 4, minutes(30), Residue::ZERO).expect("fits");
    let (second, residue) = charge(price, 1, minutes(20), residue).expect("fits");
    assert_eq!(first.checked_add(second), Some(Micros::new(7_000_000)));
    assert_eq!(residue, Residue::ZERO);
}

#[test]
fn time_is_not_charged_backwards_and_overflow_is_an_error() {
    let price = PricePerHour::from_micros(i64::MAX).expect("positive");
    assert_eq!(charge(price, 1, Millis::new(-1), Residue::ZERO), Err(MoneyError::BadMeter));
    assert_eq!(charge(price, i32::MAX, Millis::new(i64::MAX), Residue::ZERO), Err(MoneyError::TooLarge));
    assert_eq!(Residue::from_raw(3_600_000), Err(MoneyError::BadMeter));
}

#[test]
fn a_cost_is_rounded_up() {
    let price = PricePerHour::from_micros(1).expect("positive");
    assert_eq!(price.cost(1, Millis::new(1)), Ok(Micros::new(1)));
    assert_eq!(price.cost(1, Millis::ZERO), Ok(Micros::ZERO));
}

proptest! {
    #[test]
    fn cutting_an_interval_changes_nothing(price in 1..1_000_000_000_i64, devices in 1..64_i32, cuts in prop::collection::vec(0..10_000_000_i64, 1..20)) {
        let price = PricePerHour::from_micros(price).expect("positive");
        let (mut sum, mut residue) = (Micros::ZERO, Residue::ZERO);
        for cut in &cuts {
            let (amount, rest) = charge(price, devices, Millis::new(*cut), residue).expect("fits");
            sum = sum.checked_add(amount).expect("fits");
            residue = rest;
        }
        prop_assert_eq!(charge(price, devices, Millis::new(cuts.iter().sum()), Residue::ZERO), Ok((sum, residue)));
    }

    #[test]
    fn a_budget_pays_the_highest_affordable_price_and_no_higher(budget in 1..1_000_000_000_000_i64, devices in 1..64_i32, millis in 1..100_000_000_i64) {
        let (budget, span) = (Micros::new(budget), Millis::new(millis));
        let most = PricePerHour::affordable(budget, devices, span);
        let cost = |price: PricePerHour| price.cost(devices, span).expect("fits");
        prop_assert!(most.is_none_or(|price| cost(price) <= budget));
        let next = most.map_or(PricePerHour::from_micros(1).ok(), PricePerHour::next_up).expect("not the last price");
        prop_assert!(cost(next) > budget);
    }

    #[test]
    fn what_is_shown_is_read_back(micros in 0..=i64::MAX) {
        let amount = Micros::new(micros);
        prop_assert_eq!(amount.to_string().parse(), Ok(amount));
    }
}
