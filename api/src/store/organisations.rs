//! Organisations' rows and who belongs to them.

use scheduler::world::ids::{OrganisationId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// Who pays and is paid.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Organisation {
    /// Identity.
    #[sqlx(try_from = "Uuid")]
    pub id: OrganisationId,
    /// Its name.
    pub name: String,
    /// The currency of its wallet.
    pub currency: String,
    /// When it was created.
    pub created_at: OffsetDateTime,
}

/// An organisation and one person's role in it.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Membership {
    /// The organisation.
    #[sqlx(flatten)]
    pub organisation: Organisation,
    /// The role's name.
    pub role: String,
}

/// Adds an organisation.
pub async fn insert(tx: &mut Tx, organisation: &Organisation) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO organisations (id, name, currency, created_at) VALUES ($1, $2, $3, $4)")
        .bind(organisation.id.uuid())
        .bind(&organisation.name)
        .bind(&organisation.currency)
        .bind(organisation.created_at)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// One person's membership in one organisation.
pub async fn membership(
    tx: &mut Tx,
    user: UserId,
    organisation: OrganisationId,
) -> Result<Option<Membership>, StoreError> {
    let membership = sqlx::query_as(
        "SELECT o.id, o.name, o.currency, o.created_at, m.role
         FROM memberships m JOIN organisations o ON o.id = m.organisation_id
         WHERE m.user_id = $1 AND m.organisation_id = $2",
    )
    .bind(user.uuid())
    .bind(organisation.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(membership)
}

/// The membership that the person used last; the oldest one if it never logged in.
pub async fn used_last(tx: &mut Tx, user: UserId) -> Result<Option<Membership>, StoreError> {
    let membership = sqlx::query_as(
        "SELECT o.id, o.name, o.currency, o.created_at, m.role
         FROM memberships m JOIN organisations o ON o.id = m.organisation_id
         WHERE m.user_id = $1
         ORDER BY (SELECT max(r.created_at) FROM refresh_tokens r
                   WHERE r.user_id = m.user_id AND r.organisation_id = m.organisation_id) DESC NULLS LAST, m.created_at, o.id
         LIMIT 1",
    )
    .bind(user.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(membership)
}

/// The currency of an organisation's wallet, if there is such an organisation.
pub async fn currency(tx: &mut Tx, organisation: OrganisationId) -> Result<Option<String>, StoreError> {
    let currency = sqlx::query_scalar("SELECT currency FROM organisations WHERE id = $1")
        .bind(organisation.uuid())
        .fetch_optional(tx.conn())
        .await?;
    Ok(currency)
}

/// A person's organisations, newest first.
pub async fn memberships(
    tx: &mut Tx,
    user: UserId,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<Membership>, StoreError> {
    let memberships = sqlx::query_as(
        "SELECT o.id, o.name, o.currency, o.created_at, m.role
         FROM memberships m JOIN organisations o ON o.id = m.organisation_id
         WHERE m.user_id = $1 AND ($2::uuid IS NULL OR o.id < $2)
         ORDER BY o.id DESC LIMIT $3",
    )
    .bind(user.uuid())
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(memberships)
}

/// How many organisations a person belongs to.
pub async fn count_of(tx: &mut Tx, user: UserId) -> Result<i64, StoreError> {
    let count = sqlx::query_scalar("SELECT count(*) FROM memberships WHERE user_id = $1")
        .bind(user.uuid())
        .fetch_one(tx.conn())
        .await?;
    Ok(count)
}
