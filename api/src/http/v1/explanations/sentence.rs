//! An explanation in words. The codes and the numbers are stable; the words are not.

use scheduler::world::PricePerHour;
use scheduler::{Code, Numbers};

use crate::clock::from_at;
use crate::http::wire;

/// What happened and, where something can be done about it, what.
#[must_use]
pub fn sentence(code: Code, numbers: &Numbers, currency: &str) -> String {
    let devices = match numbers.gang {
        1 => "1 device".to_owned(),
        gang => format!("{gang} devices"),
    };
    let class = numbers.class.as_ref().map_or_else(|| "its classes".to_owned(), ToString::to_string);
    let money = |price: PricePerHour| format!("{price} {currency}");
    let at = |price: Option<PricePerHour>| {
        price.map(|price| format!(" at {} per device and hour", money(price))).unwrap_or_default()
    };
    let until =
        numbers.until.map(|until| format!(" until {}", wire::timestamp::format(from_at(until)))).unwrap_or_default();
    match code {
        Code::GrantedEntitled => format!("It runs by its fair share: {devices} of {class}{}.", at(numbers.price)),
        Code::GrantedMarket => format!("It runs at the market's price: {devices} of {class}{}.", at(numbers.price)),
        Code::GrantedOnDemand => format!("It runs at the posted price: {devices} of {class}{}.", at(numbers.price)),
        Code::Outbid => outbid(numbers, &class, money),
        Code::NoCapacity => format!("The market has no device of {class} to give out; it waits in the book."),
        Code::GangDoesNotFit => {
            let block = numbers.largest_free_block.unwrap_or(0);
            format!("It asks for {devices} of {class} on one node, and no node has more than {block} to give.")
        }
        Code::OverQuota => match numbers.quota {
            Some(quota) => format!("Its organisation holds {} of {} allowed devices.", quota.held, quota.allowed),
            None => "Its organisation may not hold more devices.".to_owned(),
        },
        Code::BudgetPaused => {
            format!("What is set aside for it does not cover one round{}; add money to its wallet.", at(numbers.price))
        }
        Code::MinRunProtected => format!("What it would get is inside a minimum run{until}."),
        Code::AwaitingNotice => format!("{devices} of {class} are under notice{until}."),
    }
}

fn outbid(numbers: &Numbers, class: &str, money: impl Fn(PricePerHour) -> String) -> String {
    let mut text = match (numbers.price, numbers.limit) {
        (Some(price), Some(limit)) if limit < price => {
            format!("The price of {class} is {} and its limit {}.", money(price), money(limit))
        }
        (Some(price), _) => format!("Others were earlier at the price of {} for {class}.", money(price)),
        _ => format!("Others bid more for {class}."),
    };
    if let Some(enough) = numbers.limit_to_win {
        text.push_str(&format!(" A limit of {} would have won.", money(enough)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loser_is_told_what_would_have_won() {
        let numbers = Numbers {
            gang: 2,
            class: Some("h100-80gb".parse().unwrap()),
            price: Some("2.50".parse().unwrap()),
            limit: Some("2.00".parse().unwrap()),
            limit_to_win: Some("2.500001".parse().unwrap()),
            ..Numbers::default()
        };
        let told = sentence(Code::Outbid, &numbers, "USD");
        assert_eq!(
            told,
            "The price of h100-80gb is 2.50 USD and its limit 2.00 USD. A limit of 2.500001 USD would have won."
        );
    }

    #[test]
    fn every_code_has_a_sentence_with_and_without_numbers() {
        let full = Numbers {
            gang: 1,
            class: Some("h100-80gb".parse().unwrap()),
            price: Some("2.50".parse().unwrap()),
            largest_free_block: Some(3),
            ..Numbers::default()
        };
        for code in Code::ALL {
            for numbers in [&full, &Numbers::default()] {
                let told = sentence(code, numbers, "USD");
                assert!(told.ends_with('.') && !told.contains("  "), "{told}");
            }
        }
    }
}
