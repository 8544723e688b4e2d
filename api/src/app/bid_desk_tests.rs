//! What becomes of bids that are placed together.

use scheduler::world::ids::{BidId, PoolId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::*;
use crate::bid::{Bid, BidState};

fn owner(number: u128) -> OrganisationId {
    OrganisationId::from_uuid(Uuid::from_u128(number))
}

fn waiting(owner_number: u128, key: &str, body: u32, hold: i64) -> Waiting {
    let bid = Bid {
        id: BidId::from_uuid(Uuid::from_u128(u128::from(body))),
        organisation: owner(owner_number),
        pool: PoolId::from_uuid(Uuid::nil()),
        created_by: UserId::from_uuid(Uuid::nil()),
        request: "H100".to_owned(),
        classes: Vec::new(),
        gang: 1,
        limit: "1".parse().unwrap(),
        command: None,
        reenter: true,
        ends_at: None,
        state: BidState::Open,
        rental: None,
        created_at: OffsetDateTime::UNIX_EPOCH,
        version: 1,
    };
    Waiting {
        placing: Placing { bid, hold: Micros::new(hold), currency: "USD".to_owned(), prices: Vec::new() },
        key: Key::parse(key).unwrap(),
        fingerprint: Fingerprint::of("place_bid", &body),
        reply: Reply::new(201, &body),
    }
}

fn wallet(owner_number: u128, available: i64) -> (OrganisationId, String, Micros) {
    (owner(owner_number), "USD".to_owned(), Micros::new(available))
}

#[test]
fn a_wallet_pays_first_come_first_served_and_what_is_too_dear_takes_nothing() {
    let bids = [waiting(1, "a", 1, 60), waiting(1, "b", 2, 50), waiting(1, "c", 3, 40), waiting(2, "a", 4, 60)];
    let (outcomes, accepted) = decide(&bids, vec![wallet(1, 100), wallet(2, 60)], Vec::new());
    assert_eq!(accepted.len(), 3);
    let refused = DeskError::InsufficientFunds {
        needed: Micros::new(50),
        available: Micros::new(40),
        missing: Micros::new(10),
        currency: "USD".to_owned(),
    };
    assert_eq!(outcomes[1], Err(refused));
    assert!(outcomes[0].is_ok() && outcomes[2].is_ok() && outcomes[3].is_ok());
}

#[test]
fn one_key_places_one_bid_even_among_those_placed_together() {
    let bids = [waiting(1, "k", 1, 60), waiting(1, "k", 1, 60), waiting(1, "k", 2, 1), waiting(2, "k", 2, 1)];
    let (outcomes, accepted) = decide(&bids, vec![wallet(1, 100), wallet(2, 100)], Vec::new());
    assert_eq!(accepted.len(), 2, "the first, and the same key of another organisation");
    assert_eq!(outcomes[1].as_ref().map(|reply| (reply.body.as_str(), reply.replayed)), Ok(("1", true)));
    assert_eq!(outcomes[2], Err(DeskError::KeyReused));
}

#[test]
fn a_kept_reply_is_repeated_whatever_is_in_the_wallet() {
    let one = waiting(1, "k", 1, 60);
    let records = vec![(owner(1), "k".to_owned(), one.fingerprint.record(&one.reply))];
    let (outcomes, accepted) = decide(std::slice::from_ref(&one), vec![wallet(1, 0)], records);
    assert!(accepted.is_empty());
    assert_eq!(outcomes[0].as_ref().map(|reply| reply.replayed), Ok(true));
}

#[test]
fn a_pool_of_another_currency_is_not_paid_from_this_wallet() {
    let (outcomes, _) =
        decide(&[waiting(1, "k", 1, 60)], vec![(owner(1), "EUR".to_owned(), Micros::new(100))], Vec::new());
    assert_eq!(outcomes, [Err(DeskError::OtherCurrency("USD".to_owned()))]);
}
