//! An operator opens a pool.

use super::Ctx;
use super::pool_events::of_pool;
use super::pool_settings::{SettingOutOfRange, SettingsChange, paced};
use crate::store::pools::Pool;
use crate::store::{StoreError, events, ledger, pools};

/// A pool's name: 1 to 63 of `a-z`, `0-9` and `-`, the first no dash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolName(String);

impl PoolName {
    /// Checks the characters and the length.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let valid = (1..=63).contains(&text.len()) && text.bytes().all(word) && !text.starts_with('-');
        valid.then(|| Self(text.to_owned()))
    }
}

/// A currency: three capital letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Currency(String);

impl Currency {
    /// Checks the letters.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let valid = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        valid.then(|| Self(text.to_owned()))
    }
}

/// Why no pool was opened.
#[derive(Debug, thiserror::Error)]
pub enum CreatePoolError {
    /// There is a pool of that name.
    #[error("there is a pool of that name; choose another")]
    NameTaken,
    /// A figure that no pool can have.
    #[error(transparent)]
    Setting(#[from] SettingOutOfRange),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Opens the pool. What is not said follows from the time between rounds, a minute by default.
pub async fn create_pool(
    ctx: &mut Ctx<'_>,
    name: PoolName,
    currency: Currency,
    settings: &SettingsChange,
) -> Result<Pool, CreatePoolError> {
    let paced = paced(settings.round_seconds.unwrap_or(ROUND_SECONDS))?;
    let settings = settings.apply(&paced)?;
    let pool = Pool { id: ctx.id(), name: name.0, currency: currency.0, settings, created_at: ctx.now, version: 1 };
    if !pools::insert(&mut ctx.tx, &pool).await? {
        return Err(CreatePoolError::NameTaken);
    }
    // The marketplace earns in this currency from now on.
    ledger::open_house(&mut ctx.tx, ctx.entropy, &pool.currency, ctx.now).await?;
    let told = [of_pool(ctx, "pool.created", &pool)];
    events::record(&mut ctx.tx, &told, ctx.now).await?;
    Ok(pool)
}

/// Time between rounds when the operator does not say.
const ROUND_SECONDS: i32 = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_currencies_follow_the_schema() {
        for name in ["main", "0", "eu-west-1", &"a".repeat(63)] {
            assert!(PoolName::parse(name).is_some(), "{name}");
        }
        for name in ["", "-a", "Main", "a b", "a_b", "ä", &"a".repeat(64)] {
            assert!(PoolName::parse(name).is_none(), "{name}");
        }
        assert!(Currency::parse("EUR").is_some());
        for currency in ["", "eur", "EURO", "E1R", "€"] {
            assert!(Currency::parse(currency).is_none(), "{currency}");
        }
    }
}
