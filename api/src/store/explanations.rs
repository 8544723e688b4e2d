//! Why each demand got what it got in the last round that looked at it. Older ones are in the rounds' records.

use std::collections::BTreeMap;

use scheduler::world::DemandId;
use scheduler::world::ids::{OrganisationId, PoolId};
use scheduler::{Code, Explanation, Numbers};
use sqlx::types::Json;
use time::OffsetDateTime;

use super::{StoreError, Tx};

/// The latest explanation of a demand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// What happened, and the numbers behind it.
    pub explanation: Explanation,
    /// The round that decided.
    pub round_number: i64,
    /// When.
    pub explained_at: OffsetDateTime,
}

/// Writes a round's explanations over the ones before, in one statement.
pub async fn upsert(
    tx: &mut Tx,
    pool: PoolId,
    number: i64,
    explanations: &[(OrganisationId, &Explanation)],
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    if explanations.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO explanations (pool_id, round_number, explained_at, subject, organisation_id, code, detail)
         SELECT $1, $2, $3, e.* FROM unnest($4::text[], $5::uuid[], $6::text[], $7::jsonb[]) AS e
         ON CONFLICT (subject) DO UPDATE SET
             round_number = excluded.round_number, explained_at = excluded.explained_at, code = excluded.code, detail = excluded.detail",
    )
    .bind(pool.uuid())
    .bind(number)
    .bind(now)
    .bind(explanations.iter().map(|(_, one)| one.demand.to_string()).collect::<Vec<_>>())
    .bind(explanations.iter().map(|(owner, _)| owner.uuid()).collect::<Vec<_>>())
    .bind(explanations.iter().map(|(_, one)| one.code.as_str()).collect::<Vec<_>>())
    .bind(explanations.iter().map(|(_, one)| Json(&one.numbers)).collect::<Vec<_>>())
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The latest explanations of these demands, as far as a round has looked at them. Whose they are is the caller's to know.
pub async fn find(tx: &mut Tx, demands: &[DemandId]) -> Result<BTreeMap<DemandId, Explained>, StoreError> {
    let rows: Vec<(String, i64, String, Json<Numbers>, OffsetDateTime)> = sqlx::query_as(
        "SELECT subject, round_number, code, detail, explained_at FROM explanations WHERE subject = ANY($1)",
    )
    .bind(demands.iter().map(DemandId::to_string).collect::<Vec<_>>())
    .fetch_all(tx.conn())
    .await?;
    let explained = |(subject, round_number, code, Json(numbers), explained_at): (String, i64, String, _, _)| {
        let demand = subject.parse().map_err(|error| StoreError::corrupt("subject of an explanation", error))?;
        let code = Code::ALL.into_iter().find(|known| known.as_str() == code);
        let code = code.ok_or_else(|| StoreError::corrupt("code of an explanation", &subject))?;
        Ok((demand, Explained { explanation: Explanation { demand, code, numbers }, round_number, explained_at }))
    };
    rows.into_iter().map(explained).collect()
}
