//! The copy of a record that anybody may read: who asks and who holds is replaced by ranks.
//!
//! The market compares identities only to break ties, by their order. A pseudonym is therefore the rank of the
//! identity among those of its kind in this record: order is kept, so a public record replays to its own plan, and the
//! rank says nothing about the identity or about its rank in another round.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

/// Kinds of identity that belong to tenants. Pools, nodes, devices, asks and providers are public anyway.
const PRIVATE: [&str; 4] = ["org", "rnt", "bid", "job"];
/// Digits of a wire id after its prefix and the underscore.
const DIGITS: usize = 32;

/// The pseudonyms of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pseudonyms(BTreeMap<String, String>);

impl Pseudonyms {
    /// The pseudonyms of a record, from its canonical text.
    #[must_use]
    pub fn of(record: &str) -> Self {
        let found: BTreeSet<&str> = identities(record).map(|(_, id)| id).collect();
        let mut ranks: BTreeMap<&str, u128> = BTreeMap::new();
        let mut pseudonyms = BTreeMap::new();
        for id in found {
            let prefix = &id[..id.len() - DIGITS - 1];
            let rank = ranks.entry(prefix).or_default();
            *rank += 1;
            pseudonyms.insert(id.to_owned(), format!("{prefix}_{}", Uuid::from_u128(*rank).simple()));
        }
        Self(pseudonyms)
    }

    /// The pseudonym of an identity that occurs in the record.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    /// The identity's pseudonym, or the identity itself where `own` says that the reader may know it.
    #[must_use]
    pub fn show(&self, id: &str, own: &BTreeSet<String>) -> String {
        if own.contains(id) { id.to_owned() } else { self.get(id).unwrap_or("unknown").to_owned() }
    }

    fn apply(&self, text: &str) -> String {
        let mut copy = String::with_capacity(text.len());
        let mut done = 0;
        for (at, id) in identities(text) {
            copy.push_str(&text[done..at]);
            copy.push_str(self.get(id).unwrap_or_default());
            done = at + id.len();
        }
        copy.push_str(&text[done..]);
        copy
    }
}

/// The public copy of a record's canonical text. It is a canonical record again, and replays.
#[must_use]
pub fn public(record: &str) -> String {
    Pseudonyms::of(record).apply(record)
}

/// Every private identity in the text with its offset: a whole JSON string of a known prefix and 32 digits. No text of a
/// tenant's own is in a record, so nothing else looks like one.
fn identities(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices('"').filter_map(move |(quote, _)| {
        let rest = &text[quote + 1..];
        let prefix =
            PRIVATE.into_iter().find(|prefix| rest.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_')))?;
        let end = prefix.len() + 1 + DIGITS;
        let id = rest.get(..end)?;
        let digits = id[prefix.len() + 1..].bytes().all(|byte| byte.is_ascii_hexdigit());
        (digits && rest[end..].starts_with('"')).then_some((quote + 1, id))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(prefix: &str, number: u128) -> String {
        format!("{prefix}_{}", Uuid::from_u128(number).simple())
    }

    #[test]
    fn pseudonyms_keep_the_order_and_nothing_else() {
        let text = format!(r#"["{}","{}","{}","{}"]"#, id("bid", 900), id("bid", 17), id("bid", 900), id("org", 5));
        let expected = format!(r#"["{}","{}","{}","{}"]"#, id("bid", 2), id("bid", 1), id("bid", 2), id("org", 1));
        assert_eq!(public(&text), expected);
    }

    #[test]
    fn what_is_public_anyway_stays() {
        let text = format!(r#"["{}","{}","bid_short","a100-80gb"]"#, id("node", 7), id("dev", 8));
        assert_eq!(public(&text), text);
    }

    #[test]
    fn a_reader_sees_its_own_identities() {
        let text = format!(r#"["{}","{}"]"#, id("bid", 900), id("bid", 17));
        let pseudonyms = Pseudonyms::of(&text);
        let own = BTreeSet::from([id("bid", 900)]);
        assert_eq!(pseudonyms.show(&id("bid", 900), &own), id("bid", 900));
        assert_eq!(pseudonyms.show(&id("bid", 17), &own), id("bid", 1));
        assert_eq!(pseudonyms.show(&id("bid", 3), &own), "unknown");
    }
}
