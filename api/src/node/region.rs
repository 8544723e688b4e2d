//! Where a node is, as its provider says.

/// 1 to 63 of `a-z`, `0-9` and `-`: `local`, `eu-west`, `de-fra-1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region(String);

impl Region {
    /// Checks the characters and the length.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let valid = (1..=63).contains(&text.len()) && text.bytes().all(word);
        valid.then(|| Self(text.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Region {
    /// A node whose provider does not say.
    fn default() -> Self {
        Self("local".to_owned())
    }
}
