//! The people of one organisation.

use scheduler::world::ids::{OrganisationId, UserId};
use time::OffsetDateTime;
use uuid::Uuid;

use super::tx::exactly_one;
use super::{StoreError, Tx};

/// A person in an organisation.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Member {
    /// The person.
    #[sqlx(try_from = "Uuid")]
    pub user_id: UserId,
    /// How the person logs in.
    pub email: String,
    /// What others call the person.
    pub display_name: String,
    /// The role's name.
    pub role: String,
    /// Since when the person is a member.
    pub created_at: OffsetDateTime,
}

/// The primary key of memberships.
pub const ALREADY_MEMBER: &str = "memberships_pkey";

/// Adds a person to an organisation.
pub async fn insert(
    tx: &mut Tx,
    organisation: OrganisationId,
    user: UserId,
    role: &str,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO memberships (organisation_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)")
        .bind(organisation.uuid())
        .bind(user.uuid())
        .bind(role)
        .bind(now)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// Keeps others from changing who belongs to the organisation, until the transaction ends. References to the
/// organisation from new rows do not wait for it.
pub async fn lock(tx: &mut Tx, organisation: OrganisationId) -> Result<(), StoreError> {
    sqlx::query("SELECT id FROM organisations WHERE id = $1 FOR NO KEY UPDATE")
        .bind(organisation.uuid())
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// One member.
pub async fn find(tx: &mut Tx, organisation: OrganisationId, user: UserId) -> Result<Option<Member>, StoreError> {
    let member = sqlx::query_as(
        "SELECT m.user_id, u.email, u.display_name, m.role, m.created_at
         FROM memberships m JOIN users u ON u.id = m.user_id
         WHERE m.organisation_id = $1 AND m.user_id = $2",
    )
    .bind(organisation.uuid())
    .bind(user.uuid())
    .fetch_optional(tx.conn())
    .await?;
    Ok(member)
}

/// The members, newest person first.
pub async fn list(
    tx: &mut Tx,
    organisation: OrganisationId,
    before: Option<Uuid>,
    rows: i64,
) -> Result<Vec<Member>, StoreError> {
    let members = sqlx::query_as(
        "SELECT m.user_id, u.email, u.display_name, m.role, m.created_at
         FROM memberships m JOIN users u ON u.id = m.user_id
         WHERE m.organisation_id = $1 AND ($2::uuid IS NULL OR m.user_id < $2)
         ORDER BY m.user_id DESC LIMIT $3",
    )
    .bind(organisation.uuid())
    .bind(before)
    .bind(rows)
    .fetch_all(tx.conn())
    .await?;
    Ok(members)
}

/// How many members there are, and how many of them are owners.
pub async fn count(tx: &mut Tx, organisation: OrganisationId) -> Result<(i64, i64), StoreError> {
    let counts = sqlx::query_as(
        "SELECT count(*), count(*) FILTER (WHERE role = 'owner') FROM memberships WHERE organisation_id = $1",
    )
    .bind(organisation.uuid())
    .fetch_one(tx.conn())
    .await?;
    Ok(counts)
}

/// Gives a member another role.
pub async fn change_role(
    tx: &mut Tx,
    organisation: OrganisationId,
    user: UserId,
    from: &str,
    to: &str,
) -> Result<(), StoreError> {
    let result =
        sqlx::query("UPDATE memberships SET role = $4 WHERE organisation_id = $1 AND user_id = $2 AND role = $3")
            .bind(organisation.uuid())
            .bind(user.uuid())
            .bind(from)
            .bind(to)
            .execute(tx.conn())
            .await?;
    exactly_one("membership", &result)
}

/// Removes a member.
pub async fn remove(tx: &mut Tx, organisation: OrganisationId, user: UserId, role: &str) -> Result<(), StoreError> {
    let result = sqlx::query("DELETE FROM memberships WHERE organisation_id = $1 AND user_id = $2 AND role = $3")
        .bind(organisation.uuid())
        .bind(user.uuid())
        .bind(role)
        .execute(tx.conn())
        .await?;
    exactly_one("membership", &result)
}
