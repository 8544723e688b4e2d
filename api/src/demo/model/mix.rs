//! A choice among named values, each with a weight.

/// Values and weights, in the order of the table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mix {
    entries: Vec<(String, u64)>,
    total: u64,
}

impl Mix {
    pub(super) fn push(&mut self, value: &str, weight: u64) {
        self.entries.push((value.to_owned(), weight));
        self.total += weight;
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(value, _)| value.as_str())
    }

    /// The values with their weights.
    pub fn entries(&self) -> impl Iterator<Item = (&str, u64)> {
        self.entries.iter().map(|(value, weight)| (value.as_str(), *weight))
    }

    /// The sum of the weights: tickets are numbered from 0 to one below.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The value that owns the ticket; `None` beyond the last one.
    #[must_use]
    pub fn owner_of(&self, ticket: u64) -> Option<&str> {
        let mut upto = 0;
        self.entries
            .iter()
            .find(|(_, weight)| {
                upto += weight;
                ticket < upto
            })
            .map(|(value, _)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_owns_as_many_tickets_as_its_weight() {
        let mut mix = Mix::default();
        mix.push("a", 1);
        mix.push("b", 2);
        let owners: Vec<_> = (0..=mix.total()).map(|ticket| mix.owner_of(ticket)).collect();
        assert_eq!(owners, [Some("a"), Some("b"), Some("b"), None]);
    }
}
