//! Values in a query string.

/// Percent-encodes whatever is not plain.
pub(super) fn encoded(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded += &format!("%{byte:02X}");
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn what_means_something_in_a_query_is_encoded() {
        assert_eq!(encoded("A100:80GB+1 & é"), "A100%3A80GB%2B1%20%26%20%C3%A9");
    }
}
