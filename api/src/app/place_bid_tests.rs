//! What an order is checked for, and what follows from it.

use scheduler::world::ids::{OrganisationId, UserId};
use scheduler::world::{DeviceClass, Millis};
use uuid::Uuid;

use super::*;
use crate::app::{Role, Via};
use crate::store::catalogue::{ClassTerms, PoolTerms};

const NOW: OffsetDateTime = time::macros::datetime!(2030-01-01 00:00:00 UTC);

fn price(text: &str) -> PricePerHour {
    text.parse().unwrap()
}

fn class(id: &str, model: &str, memory_gib: i64, floor: Option<&str>) -> ClassTerms {
    let id = id.parse().unwrap();
    let (vendor, model) = ("nvidia".to_owned(), model.to_owned());
    let class = DeviceClass { id, vendor, model, memory_mib: memory_gib * 1024, mig_profile: None };
    ClassTerms { class, floor: floor.map(price), price: Some(price("2.10")) }
}

fn pool(number: u128, classes: Vec<ClassTerms>) -> PoolTerms {
    PoolTerms {
        id: PoolId::from_uuid(Uuid::from_u128(number)),
        currency: "USD".to_owned(),
        limit_cap: price("100"),
        promises: false,
        min_run: Millis::from_seconds(600),
        classes,
    }
}

fn terms() -> Terms {
    let first =
        pool(1, vec![class("a100-80gb", "A100", 80, Some("1.10")), class("h100-80gb", "H100", 80, Some("1.90"))]);
    let second = pool(2, vec![class("l4-24gb", "L4", 24, None)]);
    Terms::new(vec![first, second], NOW)
}

fn order(gpu: &str, limit: &str) -> BidOrder {
    BidOrder { pool: None, gpu: gpu.parse().unwrap(), limit: price(limit), ends_at: None, reenter: true, command: None }
}

fn decided(order: &BidOrder) -> Result<Placing, PlaceBidError> {
    let caller = Caller {
        organisation: OrganisationId::from_uuid(Uuid::from_u128(10)),
        user: UserId::from_uuid(Uuid::from_u128(11)),
        role: Role::Member,
        operator: false,
        via: Via::Token,
    };
    decide(BidId::from_uuid(Uuid::from_u128(12)), &caller, order, &terms(), NOW)
}

#[test]
fn an_hour_at_the_limit_is_set_aside_for_the_whole_gang() {
    let placing = decided(&order("H100,A100:80GB:2", "2.50")).unwrap();
    assert_eq!(placing.hold, Micros::new(5_000_000));
    assert_eq!(placing.bid.gang, 2);
    let classes: Vec<_> = placing.bid.classes.iter().map(ClassId::as_str).collect();
    assert_eq!(classes, ["a100-80gb", "h100-80gb"]);
    assert_eq!(placing.bid.state, BidState::Open);
}

#[test]
fn without_a_name_the_oldest_pool_that_has_it_is_meant() {
    assert_eq!(decided(&order("L4", "1")).unwrap().bid.pool.uuid(), Uuid::from_u128(2));
    let named = BidOrder { pool: Some(PoolId::from_uuid(Uuid::from_u128(1))), ..order("L4", "1") };
    assert!(matches!(decided(&named), Err(PlaceBidError::NoSuchClass(_))));
    let lost = BidOrder { pool: Some(PoolId::from_uuid(Uuid::from_u128(3))), ..order("L4", "1") };
    assert!(matches!(decided(&lost), Err(PlaceBidError::NoSuchPool)));
}

#[test]
fn a_limit_lies_between_the_lowest_floor_and_the_cap() {
    assert!(decided(&order("H100", "1.90")).is_ok());
    assert!(decided(&order("H100", "100")).is_ok());
    assert!(decided(&order("H100,A100", "1.10")).is_ok(), "one class within reach is enough");
    let low = decided(&order("H100", "1.899999"));
    assert!(matches!(low, Err(PlaceBidError::LimitBelowFloor { floor }) if floor == price("1.90")));
    let high = decided(&order("H100", "100.000001"));
    assert!(matches!(high, Err(PlaceBidError::LimitAboveCap { cap }) if cap == price("100")));
    assert!(decided(&order("L4", "0.000001")).is_ok(), "nobody asks for it yet, so there is no floor to be below");
}

#[test]
fn of_a_range_of_counts_the_least_is_meant_and_a_gang_fits_a_node() {
    assert_eq!(decided(&order("H100:2..8", "2")).unwrap().bid.gang, 2);
    assert_eq!(decided(&order("H100", "2")).unwrap().bid.gang, 1);
    assert_eq!(decided(&order("H100:64", "2")).unwrap().bid.gang, 64);
    assert!(matches!(decided(&order("H100:65", "2")), Err(PlaceBidError::GangTooLarge)));
}

#[test]
fn a_bid_ends_in_the_future_within_a_year() {
    for (end, good) in [(NOW, false), (NOW + Duration::milliseconds(1), true), (NOW + Duration::days(367), false)] {
        let order = BidOrder { ends_at: Some(end), ..order("H100", "2") };
        assert_eq!(decided(&order).is_ok(), good, "{end}");
    }
}

#[test]
fn the_spelling_of_an_order_does_not_make_another_order() {
    let of = |order: &BidOrder| Fingerprint::of("place_bid", order);
    assert_eq!(of(&order("80GB:H100,A100:2", "2.5")), of(&order("H100,A100:80GB:2", "2.500000")));
    assert_ne!(of(&order("H100:2", "2.5")), of(&order("H100:2", "2.51")));
}
