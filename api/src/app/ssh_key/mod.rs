//! Public SSH keys: what a tenant opens its rentals with. Pure.

mod wire;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use sha2::{Digest as _, Sha256};

/// A public key that an SSH server would accept: Ed25519, ECDSA, or RSA of 2048 to 16384 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SshKey {
    kind: &'static str,
    blob: Vec<u8>,
}

/// Why a text is not such a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SshKeyRefused {
    /// The secret half was pasted.
    #[error("this is a private key: never give it away; send the one line of the file that ends in .pub")]
    Private,
    /// Not one line of type, key and comment.
    #[error("a public key is one line, `ssh-ed25519 AAAA… comment`: the contents of a file that ends in .pub")]
    NotOneLine,
    /// Another kind of key.
    #[error("keys of type `{0}` are not accepted; use ssh-ed25519, ecdsa-sha2-nistp256 (384, 521) or ssh-rsa")]
    Type(String),
    /// The middle part cannot be decoded.
    #[error("the part after the type is not valid base64; was the line cut off or wrapped?")]
    Base64,
    /// The decoded key does not have the form of its type.
    #[error("the key is damaged: {0}")]
    Damaged(&'static str),
    /// RSA, but too short or absurdly long.
    #[error("this RSA key has {0} bits; 2048 to 16384 are accepted")]
    RsaBits(usize),
}

impl SshKey {
    /// Parses a line of an `authorized_keys` file without options.
    pub fn parse(text: &str) -> Result<Self, SshKeyRefused> {
        let text = text.trim();
        if text.contains("PRIVATE KEY") {
            return Err(SshKeyRefused::Private);
        }
        let mut parts = text.split_ascii_whitespace();
        let (Some(kind), Some(encoded), false) = (parts.next(), parts.next(), text.contains(['\n', '\r'])) else {
            return Err(SshKeyRefused::NotOneLine);
        };
        let shown = || SshKeyRefused::Type(kind.chars().filter(|c| !c.is_control()).take(40).collect());
        let kind = wire::KINDS.into_iter().find(|known| *known == kind).ok_or_else(shown)?;
        let blob =
            STANDARD.decode(encoded).or_else(|_| STANDARD_NO_PAD.decode(encoded)).map_err(|_| SshKeyRefused::Base64)?;
        wire::check(kind, &blob)?;
        Ok(Self { kind, blob })
    }

    /// `SHA256:…`, as `ssh-keygen -l` prints it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        format!("SHA256:{}", STANDARD_NO_PAD.encode(Sha256::digest(&self.blob)))
    }

    /// The line without a comment: one spelling per key.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = self.kind.to_owned();
        let _ = write!(line, " {}", STANDARD.encode(&self.blob));
        line
    }
}

#[cfg(test)]
mod tests;
