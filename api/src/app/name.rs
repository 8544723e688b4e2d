//! Names that people give to people and things.

/// 1 to 100 characters, trimmed, without control characters.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Name(String);

impl Name {
    /// Checks the characters and the length.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let valid = (1..=100).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        valid.then(|| Self(text.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_trimmed_and_bounded() {
        assert_eq!(Name::parse("  Ana ").unwrap().as_str(), "Ana");
        for refused in ["", "   ", "a\nb", &"n".repeat(101)] {
            assert!(Name::parse(refused).is_none(), "{refused:?}");
        }
    }
}
