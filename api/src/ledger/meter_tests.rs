//! The meter's claims, with literal numbers.

use super::*;

const HOUR: i64 = 3_600_000;

fn meter(price: &str, devices: i32) -> Meter {
    let id = |n: u128| uuid::Uuid::from_u128(n);
    Meter {
        rental: id(1).into(),
        organisation: id(2).into(),
        provider: id(3).into(),
        subject: DemandId::OnDemand(id(1).into()),
        price: price.parse().unwrap(),
        devices,
        fee_bps: 1000,
        metered_to: At::from_millis(0),
        residue: Residue::ZERO,
        charged: Micros::ZERO,
        max_spend: None,
        ends_at: None,
    }
}

fn wallet(held: i64, available: i64) -> Funds {
    Funds { held: Micros::new(held), spare: Spare::Wallet(Micros::new(available)) }
}

fn budget(held: i64) -> Funds {
    Funds { held: Micros::new(held), spare: Spare::Budget }
}

fn at(millis: i64) -> At {
    At::from_millis(millis)
}

/// Splitmix64: enough to cut time at random places, the same in every run.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[test]
fn half_an_hour_of_four_devices_then_twenty_minutes_of_one_are_exactly_two_and_a_third_device_hours() {
    let four = charge_until(&meter("3.00", 4), wallet(100_000_000, 0), at(HOUR / 2)).unwrap();
    let one = Meter { devices: 1, metered_to: at(HOUR / 2), ..meter("3.00", 1) };
    let one = charge_until(&one, wallet(100_000_000, 0), at(HOUR / 2 + HOUR / 3)).unwrap();
    assert_eq!(four.amount.get() + one.amount.get(), 7_000_000);
    assert_eq!((four.residue, one.residue), (Residue::ZERO, Residue::ZERO));
}

#[test]
fn however_time_is_cut_the_sum_is_the_same() {
    for seed in 0..200 {
        let mut state = seed;
        let price = i64::try_from(next(&mut state) % 9_000_000).unwrap() + 1;
        let mut meter = Meter { price: PricePerHour::from_micros(price).unwrap(), ..meter("1", 3) };
        let whole = charge_until(&meter, wallet(i64::MAX / 4, 0), at(HOUR)).unwrap();
        let mut sum = 0;
        while meter.metered_to < at(HOUR) {
            let step = i64::try_from(next(&mut state) % 90_000).unwrap() + 1;
            let until = at((meter.metered_to.millis() + step).min(HOUR));
            let part = charge_until(&meter, wallet(i64::MAX / 4, 0), until).unwrap();
            sum += part.amount.get();
            meter = Meter { metered_to: part.to, residue: part.residue, ..meter };
        }
        assert_eq!((sum, meter.residue), (whole.amount.get(), whole.residue), "seed {seed}");
    }
}

#[test]
fn the_payment_splits_without_a_rest() {
    let meter = meter("0.999999", 1);
    let charge = charge_until(&meter, wallet(10_000_000, 0), at(HOUR)).unwrap();
    let usage = charge.usage(&meter).unwrap();
    let of = |account| usage.entries().iter().find(|entry| entry.account == account).unwrap().amount.get();
    assert_eq!(of(Account::TenantHeld(meter.organisation)), -999_999);
    assert_eq!(of(Account::PlatformFee), 99_999);
    assert_eq!(of(Account::ProviderPending(meter.provider)), 900_000);
}

#[test]
fn the_hold_is_kept_an_hour_ahead_while_the_wallet_can() {
    let meter = meter("2.00", 1);
    let charge = charge_until(&meter, wallet(2_000_000, 5_000_000), at(HOUR / 2)).unwrap();
    assert_eq!((charge.amount.get(), charge.top_up.get(), charge.stop), (1_000_000, 1_000_000, None));
    let poor = charge_until(&meter, wallet(2_000_000, 300_000), at(HOUR / 2)).unwrap();
    assert_eq!((poor.top_up.get(), poor.stop), (300_000, None));
    assert_eq!(
        poor.lasts_until.millis(),
        HOUR / 2 + HOUR * 13 / 20 + 1,
        "1.3 left at 2.00 an hour, and the last instant below the next micro"
    );
}

#[test]
fn what_cannot_be_paid_is_not_billed() {
    let meter = meter("2.00", 1);
    let charge = charge_until(&meter, wallet(500_000, 500_000), at(HOUR)).unwrap();
    assert_eq!((charge.amount.get(), charge.top_up.get()), (1_000_000, 500_000));
    assert_eq!(charge.stop, Some(Stop::Balance));
    assert_eq!(charge.to.millis(), HOUR / 2 + 1);
    assert_eq!(charge.to, charge.lasts_until);
}

#[test]
fn a_jobs_budget_is_never_topped_up() {
    let charge = charge_until(&meter("2.00", 1), budget(1_500_000), at(HOUR)).unwrap();
    assert_eq!((charge.amount.get(), charge.top_up.get(), charge.stop), (1_500_000, 0, Some(Stop::Budget)));
}

#[test]
fn the_rentals_own_bounds_end_it_first() {
    let bounded = Meter { max_spend: Some(Micros::new(1_200_000)), charged: Micros::new(200_000), ..meter("2.00", 1) };
    let charge = charge_until(&bounded, wallet(2_000_000, 9_000_000), at(HOUR)).unwrap();
    assert_eq!((charge.amount.get(), charge.stop), (1_000_000, Some(Stop::MaxSpend)));
    let timed = Meter { ends_at: Some(at(HOUR / 4)), ..meter("2.00", 1) };
    let charge = charge_until(&timed, wallet(2_000_000, 0), at(HOUR)).unwrap();
    assert_eq!((charge.to.millis(), charge.amount.get(), charge.stop), (HOUR / 4, 500_000, Some(Stop::MaxDuration)));
}

#[test]
fn a_clock_that_goes_back_bills_nothing() {
    let meter = Meter { metered_to: at(HOUR), ..meter("2.00", 1) };
    let charge = charge_until(&meter, wallet(2_000_000, 0), at(HOUR / 2)).unwrap();
    assert!(charge.is_empty());
    assert_eq!((charge.amount, charge.to), (Micros::ZERO, at(HOUR)));
}

#[test]
fn no_charge_ever_exceeds_what_it_may_draw_on() {
    let mut state = 42;
    let mut below = |bound: u64| i64::try_from(next(&mut state) % bound).unwrap();
    for case in 0..20_000 {
        let meter = Meter {
            price: PricePerHour::from_micros(below(5_000_000_000) + 1).unwrap(),
            devices: i32::try_from(below(64) + 1).unwrap(),
            residue: Residue::from_raw(below(3_600_000)).unwrap(),
            charged: Micros::new(below(1000)),
            max_spend: (case % 3 == 0).then(|| Micros::new(below(1_000_000_000))),
            ends_at: (case % 5 == 0).then(|| at(below(90_000_000))),
            ..meter("1", 1)
        };
        let (held, available) = (below(4_000_000_000), below(4_000_000_000));
        let funds = if case % 2 == 0 { wallet(held, available) } else { budget(held) };
        let until = at(below(90_000_000));
        let charge = charge_until(&meter, funds, until).unwrap();
        let spare = if case % 2 == 0 { available } else { 0 };
        assert!(charge.top_up.get() <= spare && charge.top_up >= Micros::ZERO, "case {case}: {charge:?}");
        assert!(charge.amount.get() <= held + charge.top_up.get(), "case {case}: {charge:?}");
        assert!(
            meter
                .max_spend
                .is_none_or(|max| meter.charged.get() + charge.amount.get() <= max.get().max(meter.charged.get()))
        );
        assert!(charge.to <= until.max(meter.metered_to) && charge.fee <= charge.amount);
        assert!(charge.to >= until || charge.stop.is_some(), "case {case}: {charge:?}");
    }
}
