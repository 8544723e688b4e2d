//! What a tenant wants to run: a shell command line, passed on as it is.

/// Longest command, in bytes.
const MOST_BYTES: usize = 8 * 1024;

/// A command line of 1 to 8192 bytes without NUL.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Command(String);

impl Command {
    /// Checks the length and the bytes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let valid = !text.trim().is_empty() && text.len() <= MOST_BYTES && !text.contains('\0');
        valid.then(|| Self(text.to_owned()))
    }

    /// The command line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_bounded_and_printable_to_a_shell() {
        assert!(Command::parse("python train.py\n").is_some());
        for refused in ["", "  ", "a\0b", &"x".repeat(8193)] {
            assert!(Command::parse(refused).is_none(), "{:?}", refused.len());
        }
    }
}
