//! API keys in memory: looked up by hash, kept for a few seconds, and when they were last used.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use scheduler::world::ids::ApiKeyId;
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::app::{Caller, Role, Scope, Via};
use crate::config::limits;
use crate::entropy::Secret;
use crate::store::api_keys::{self, Holder};
use crate::store::{StoreError, Tx};

/// What every API key begins with.
pub const PREFIX: &str = "souk_";

/// The keys that were presented lately.
#[derive(Debug, Default)]
pub struct ApiKeys {
    known: Mutex<HashMap<[u8; 32], Known>>,
    uses: Mutex<BTreeMap<ApiKeyId, OffsetDateTime>>,
}

#[derive(Debug, Clone)]
struct Known {
    /// Nobody, if there is no such key: asking again and again about a wrong key costs the database nothing.
    key: Option<(ApiKeyId, Caller, Option<OffsetDateTime>)>,
    looked_up_at: OffsetDateTime,
}

impl ApiKeys {
    /// The caller that holds this key, if the key counts now.
    pub async fn authenticate(
        &self,
        db: &PgPool,
        secret: &Secret,
        now: OffsetDateTime,
    ) -> Result<Option<Caller>, StoreError> {
        let hash = secret.hash();
        let known = match self.recall(&hash, now) {
            Some(known) => known,
            None => self.look_up(db, hash, now).await?,
        };
        let Some((id, caller, expires_at)) = known.key else { return Ok(None) };
        if expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Ok(None);
        }
        lock(&self.uses).insert(id, now);
        Ok(Some(caller))
    }

    /// Forgets a key, so that its revocation counts at once on this server.
    pub fn forget(&self, id: ApiKeyId) {
        lock(&self.known).retain(|_, known| known.key.as_ref().is_none_or(|(held, ..)| *held != id));
    }

    /// When keys were used since the last call of this.
    pub fn take_uses(&self) -> BTreeMap<ApiKeyId, OffsetDateTime> {
        std::mem::take(&mut *lock(&self.uses))
    }

    fn recall(&self, hash: &[u8; 32], now: OffsetDateTime) -> Option<Known> {
        lock(&self.known).get(hash).filter(|known| known.is_fresh(now)).cloned()
    }

    async fn look_up(&self, db: &PgPool, hash: [u8; 32], now: OffsetDateTime) -> Result<Known, StoreError> {
        let holder = api_keys::holder(&mut Tx::begin_snapshot(db).await?, &hash).await?;
        let known = Known { key: holder.map(caller).transpose()?, looked_up_at: now };
        let mut all = lock(&self.known);
        if all.len() >= limits::API_KEYS_CACHED {
            all.retain(|_, known| known.is_fresh(now));
        }
        if all.len() < limits::API_KEYS_CACHED {
            all.insert(hash, known.clone());
        }
        Ok(known)
    }
}

impl Known {
    fn is_fresh(&self, now: OffsetDateTime) -> bool {
        now - self.looked_up_at < limits::API_KEY_CACHE
    }
}

/// A key does what its scopes say, and never more than its maker's role allows today.
fn caller(holder: Holder) -> Result<(ApiKeyId, Caller, Option<OffsetDateTime>), StoreError> {
    let role = Role::parse(&holder.role).ok_or_else(|| StoreError::corrupt("role", &holder.role))?;
    let scopes = holder.scopes.iter().map(|name| Scope::parse(name).ok_or(name)).collect::<Result<_, _>>();
    let scopes = scopes.map_err(|name| StoreError::corrupt("scope", name))?;
    let via = Via::ApiKey { id: holder.id, scopes };
    let caller = Caller { organisation: holder.organisation, user: holder.created_by, role, operator: false, via };
    Ok((holder.id, caller, holder.expires_at))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
