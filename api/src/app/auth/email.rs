//! An email address, as the key of a person.

/// An address in lower case: ASCII, one `@`, a dotted or plain domain, at most 254 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Checks the shape. Whether anybody reads mail there is another matter.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let (local, domain) = text.split_once('@')?;
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"(),:;<>[\\]".contains(&byte));
        let labels =
            domain.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'));
        let valid = text.len() <= 254 && !local.is_empty() && visible && labels && !domain.contains('@');
        valid.then_some(Self(text))
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_differ_by_more_than_their_case() {
        assert_eq!(Email::parse(" Ana@Example.ORG "), Email::parse("ana@example.org"));
    }

    #[test]
    fn what_is_not_an_address_is_refused() {
        let long = format!("{}@example.org", "a".repeat(250));
        for text in ["", "@", "a@", "@b", "a b@c", "a@b@c", "a@b..c", "a@-b", "a@b.", "ä@b", "<a@b>", &long] {
            assert!(Email::parse(text).is_none(), "{text:?}");
        }
    }
}
