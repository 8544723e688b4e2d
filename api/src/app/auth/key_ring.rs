//! The keys behind access tokens, in memory: the newest signs, all that are not yet removed verify.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey as _;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use sqlx::PgPool;
use time::OffsetDateTime;

use super::claims::{Claims, SignedClaims};
use super::verified::VerifiedTokens;
use crate::config::limits;
use crate::entropy::{Entropy, Secret};
use crate::store::signing_keys::{self, NewKey, StoredKey};
use crate::store::{StoreError, Tx};

/// Why a token does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not a token, or not one of ours.
    #[error("this is not a valid access token; log in or refresh the session")]
    Invalid,
    /// Signed by a key that this ring does not hold (yet).
    #[error("this access token was signed by a key that is no longer valid; refresh the session")]
    UnknownKey,
    /// Its ten minutes are over.
    #[error("this access token has expired; refresh the session")]
    Expired,
}

/// The keys, shared by all requests.
pub struct KeyRing(RwLock<Arc<Keys>>);

struct Keys {
    signing_kid: String,
    signing: EncodingKey,
    verifying: BTreeMap<String, DecodingKey>,
    verified: VerifiedTokens,
}

impl KeyRing {
    /// Loads the keys, making the first one where there is none. When two servers start at once both may make one:
    /// either is as good as the other.
    pub async fn load(db: &PgPool, entropy: &dyn Entropy, now: OffsetDateTime) -> Result<Self, StoreError> {
        let mut tx = Tx::begin(db).await?;
        let mut stored = signing_keys::all(&mut tx).await?;
        if stored.is_empty() {
            signing_keys::insert(&mut tx, &make(entropy), now).await?;
            stored = signing_keys::all(&mut tx).await?;
        }
        tx.commit().await?;
        Ok(Self(RwLock::new(Arc::new(Keys::from_stored(stored, now)?))))
    }

    /// Takes over what the database holds now.
    pub fn replace(&self, stored: Vec<StoredKey>, now: OffsetDateTime) -> Result<(), StoreError> {
        let keys = Arc::new(Keys::from_stored(stored, now)?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = keys;
        Ok(())
    }

    /// Signs a token.
    #[must_use]
    pub fn sign(&self, claims: &impl SignedClaims) -> Secret {
        let keys = self.keys();
        let header = Header { kid: Some(keys.signing_kid.clone()), ..Header::new(Algorithm::EdDSA) };
        let token =
            jsonwebtoken::encode(&header, claims, &keys.signing).expect("claims are plain data, the key is ours");
        Secret::presented(&token)
    }

    /// The claims of an access token that we signed and that has not expired.
    pub fn verify(&self, token: &str, now: OffsetDateTime) -> Result<Claims, TokenError> {
        let keys = self.keys();
        if let Some(claims) = keys.verified.get(token) {
            return unexpired(claims, now);
        }
        let claims: Claims = keys.verify(token, now)?;
        keys.verified.add(token, claims.clone());
        Ok(claims)
    }

    /// The claims of a token of some kind that we signed and that has not expired. A token of another kind is invalid:
    /// each kind has an issuer of its own.
    pub fn verify_as<C: SignedClaims>(&self, token: &str, now: OffsetDateTime) -> Result<C, TokenError> {
        self.keys().verify(token, now)
    }

    fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyRing").field(&self.keys().signing_kid).finish()
    }
}

impl Keys {
    fn verify<C: SignedClaims>(&self, token: &str, now: OffsetDateTime) -> Result<C, TokenError> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Invalid)?;
        let kid = header.kid.ok_or(TokenError::Invalid)?;
        let key = self.verifying.get(&kid).ok_or(TokenError::UnknownKey)?;
        // The library would ask the machine's clock; ours is an argument.
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.validate_exp = false;
        validation.set_issuer(&[C::ISSUER]);
        unexpired(jsonwebtoken::decode::<C>(token, key, &validation).map_err(refused)?.claims, now)
    }

    /// Sorts the stored keys: oldest first, so the last one that is not retired signs.
    fn from_stored(mut stored: Vec<StoredKey>, now: OffsetDateTime) -> Result<Self, StoreError> {
        stored.retain(|key| key.retired_at.is_none_or(|retired_at| now - retired_at <= limits::RETIRED_KEY));
        let newest = stored.iter().rev().find(|key| key.retired_at.is_none());
        let newest = newest.ok_or_else(|| StoreError::corrupt("signing key", "all of them are retired"))?;
        Ok(Self {
            signing_kid: newest.kid.clone(),
            signing: EncodingKey::from_ed_der(&newest.private_der),
            verifying: stored.iter().map(|key| (key.kid.clone(), DecodingKey::from_ed_der(&key.public_raw))).collect(),
            verified: VerifiedTokens::default(),
        })
    }
}

/// A new key pair.
#[must_use]
pub fn make(entropy: &dyn Entropy) -> NewKey {
    let mut seed = [0; 32];
    entropy.fill(&mut seed);
    let key = SigningKey::from_bytes(&seed);
    let public_raw = key.verifying_key().to_bytes();
    let kid = public_raw.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let private_der = key.to_pkcs8_der().expect("an Ed25519 key has a PKCS #8 form").as_bytes().to_vec();
    NewKey { kid, private_der, public_raw: public_raw.to_vec() }
}

fn unexpired<C: SignedClaims>(claims: C, now: OffsetDateTime) -> Result<C, TokenError> {
    if now.unix_timestamp() < claims.expires() { Ok(claims) } else { Err(TokenError::Expired) }
}

fn refused(error: jsonwebtoken::errors::Error) -> TokenError {
    match error.kind() {
        ErrorKind::ExpiredSignature => TokenError::Expired,
        _ => TokenError::Invalid,
    }
}
