//! The binary form of public keys (RFC 4253 section 6.6, RFC 5656, RFC 8709).

use super::SshKeyRefused;

/// The types that are accepted.
pub const KINDS: [&str; 5] =
    ["ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"];

const RSA_BITS: std::ops::RangeInclusive<usize> = 2048..=16384;

/// Checks that the blob is a whole key of that type and nothing else.
pub fn check(kind: &str, blob: &[u8]) -> Result<(), SshKeyRefused> {
    let mut reader = Reader(blob);
    if reader.string()? != kind.as_bytes() {
        return Err(SshKeyRefused::Damaged("it says inside that it is of another type"));
    }
    match kind.strip_prefix("ecdsa-sha2-") {
        Some(curve) => ecdsa(&mut reader, curve)?,
        None if kind == "ssh-rsa" => rsa(&mut reader)?,
        None => ed25519(&mut reader)?,
    }
    if reader.0.is_empty() { Ok(()) } else { Err(SshKeyRefused::Damaged("something follows after its end")) }
}

fn ed25519(reader: &mut Reader<'_>) -> Result<(), SshKeyRefused> {
    if reader.string()?.len() == 32 { Ok(()) } else { Err(SshKeyRefused::Damaged("an Ed25519 key has 32 bytes")) }
}

fn ecdsa(reader: &mut Reader<'_>, curve: &str) -> Result<(), SshKeyRefused> {
    if reader.string()? != curve.as_bytes() {
        return Err(SshKeyRefused::Damaged("it says inside that it is on another curve"));
    }
    let coordinate = match curve {
        "nistp256" => 32,
        "nistp384" => 48,
        _ => 66,
    };
    match reader.string()? {
        [4, rest @ ..] if rest.len() == 2 * coordinate => Ok(()),
        _ => Err(SshKeyRefused::Damaged("its point is not one of its curve")),
    }
}

fn rsa(reader: &mut Reader<'_>) -> Result<(), SshKeyRefused> {
    let exponent = reader.positive()?;
    let modulus = reader.positive()?;
    if exponent.iter().all(|byte| *byte == 0) || exponent.last().is_none_or(|byte| byte % 2 == 0) {
        return Err(SshKeyRefused::Damaged("its exponent is not odd"));
    }
    let bits = bits(modulus);
    if RSA_BITS.contains(&bits) { Ok(()) } else { Err(SshKeyRefused::RsaBits(bits)) }
}

fn bits(number: &[u8]) -> usize {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let significant = number.get(zeros..).unwrap_or_default();
    let leading = significant.first().map_or(0, |byte| byte.leading_zeros());
    significant.len() * 8 - usize::try_from(leading).unwrap_or(0)
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn string(&mut self) -> Result<&'a [u8], SshKeyRefused> {
        const CUT: SshKeyRefused = SshKeyRefused::Damaged("it ends too early");
        let (length, rest) = self.0.split_first_chunk::<4>().ok_or(CUT)?;
        let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| CUT)?;
        let (string, rest) = rest.split_at_checked(length).ok_or(CUT)?;
        self.0 = rest;
        Ok(string)
    }

    /// A multiple-precision integer above zero.
    fn positive(&mut self) -> Result<&'a [u8], SshKeyRefused> {
        match self.string()? {
            [] => Err(SshKeyRefused::Damaged("one of its numbers is zero")),
            [first, ..] if first & 0x80 != 0 => Err(SshKeyRefused::Damaged("one of its numbers is negative")),
            number => Ok(number),
        }
    }
}
