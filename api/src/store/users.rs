//! Users' rows.

use scheduler::world::ids::UserId;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{StoreError, Tx};

/// The unique index on addresses.
pub const EMAIL_TAKEN: &str = "users_email_key";

/// A person, without its password.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct User {
    /// Identity.
    #[sqlx(try_from = "Uuid")]
    pub id: UserId,
    /// How the person logs in.
    pub email: String,
    /// What others call the person.
    pub display_name: String,
    /// Whether the person operates the marketplace.
    pub is_operator: bool,
    /// When the person signed up.
    pub created_at: OffsetDateTime,
}

/// A person with the hash of its password.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Credentials {
    /// The person.
    #[sqlx(flatten)]
    pub user: User,
    /// Argon2 in PHC form.
    pub password_hash: String,
}

/// Adds a person.
pub async fn insert(tx: &mut Tx, user: &User, password_hash: &str) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO users (id, email, display_name, password_hash, is_operator, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(user.id.uuid())
    .bind(&user.email)
    .bind(&user.display_name)
    .bind(password_hash)
    .bind(user.is_operator)
    .bind(user.created_at)
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The person with that address, for comparing its password.
pub async fn credentials(tx: &mut Tx, email: &str) -> Result<Option<Credentials>, StoreError> {
    let credentials = sqlx::query_as(
        "SELECT id, email, display_name, is_operator, created_at, password_hash FROM users WHERE email = $1",
    )
    .bind(email)
    .fetch_optional(tx.conn())
    .await?;
    Ok(credentials)
}

/// A person.
pub async fn find(tx: &mut Tx, id: UserId) -> Result<Option<User>, StoreError> {
    let user = sqlx::query_as("SELECT id, email, display_name, is_operator, created_at FROM users WHERE id = $1")
        .bind(id.uuid())
        .fetch_optional(tx.conn())
        .await?;
    Ok(user)
}

/// Sets the operator's flag; false when nobody has that address.
pub async fn make_operator(tx: &mut Tx, email: &str) -> Result<bool, StoreError> {
    let result = sqlx::query("UPDATE users SET is_operator = TRUE, version = version + 1 WHERE email = $1")
        .bind(email)
        .execute(tx.conn())
        .await?;
    Ok(result.rows_affected() == 1)
}

/// The person with that address.
pub async fn find_by_email(tx: &mut Tx, email: &str) -> Result<Option<User>, StoreError> {
    let user = sqlx::query_as("SELECT id, email, display_name, is_operator, created_at FROM users WHERE email = $1")
        .bind(email)
        .fetch_optional(tx.conn())
        .await?;
    Ok(user)
}
