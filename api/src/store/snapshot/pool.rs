//! A pool's settings as the market's rules, and where its chain of rounds stands.

use scheduler::plan::Awaiting;
use scheduler::world::ids::PoolId;
use scheduler::world::{Millis, PricePerHour, Rules};
use sqlx::types::Json;

use super::super::{StoreError, Tx};
use super::valid;

/// A running gang moves only for a place that is cheaper, or faster, by a tenth.
const MOVE_GAIN_PPM: i32 = 100_000;

pub(super) struct Settings {
    pub rules: Rules,
    pub last_number: i64,
}

#[derive(sqlx::FromRow)]
struct Row {
    share_policy: String,
    tilt: String,
    price_rule: String,
    round_seconds: i32,
    notice_seconds: i32,
    min_run_seconds: i32,
    restart_seconds: i32,
    fee_bps: i32,
    phi_ppm: i32,
    limit_cap_micros_per_hour: i64,
    admission_cap_milli: Option<i64>,
    last_number: i64,
}

pub(super) async fn load(tx: &mut Tx, pool: PoolId) -> Result<Option<Settings>, StoreError> {
    let row: Option<Row> = sqlx::query_as(
        "SELECT p.share_policy, p.tilt, p.price_rule, p.round_seconds, p.notice_seconds, p.min_run_seconds, p.restart_seconds, p.fee_bps,
                p.phi_ppm, p.limit_cap_micros_per_hour, p.admission_cap_milli, coalesce(l.last_number, 0) AS last_number
         FROM pools p LEFT JOIN pool_leases l ON l.pool_id = p.id
         WHERE p.id = $1",
    )
    .bind(pool.uuid())
    .fetch_optional(tx.conn())
    .await?;
    row.map(Settings::try_from).transpose()
}

/// What the round with this number promised to gangs that wait for a notice.
pub(super) async fn promised(tx: &mut Tx, pool: PoolId, number: i64) -> Result<Vec<Awaiting>, StoreError> {
    let promised: Option<Json<Vec<Awaiting>>> =
        sqlx::query_scalar("SELECT record::jsonb #> '{plan,awaiting}' FROM rounds WHERE pool_id = $1 AND number = $2")
            .bind(pool.uuid())
            .bind(number)
            .fetch_optional(tx.conn())
            .await?;
    Ok(promised.map(|Json(promised)| promised).unwrap_or_default())
}

impl TryFrom<Row> for Settings {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            rules: Rules {
                version: Rules::VERSION,
                share_policy: valid("share policy", row.share_policy.parse())?,
                tilt: valid("tilt", row.tilt.parse())?,
                price_rule: valid("price rule", row.price_rule.parse())?,
                round: seconds(row.round_seconds)?,
                notice: seconds(row.notice_seconds)?,
                min_run: seconds(row.min_run_seconds)?,
                restart: seconds(row.restart_seconds)?,
                phi_ppm: row.phi_ppm,
                admission_cap_milli: row.admission_cap_milli,
                fee_bps: row.fee_bps,
                limit_cap: valid("limit cap", PricePerHour::from_micros(row.limit_cap_micros_per_hour))?,
                move_gain_ppm: MOVE_GAIN_PPM,
            },
            last_number: row.last_number,
        })
    }
}

fn seconds(stored: i32) -> Result<Millis, StoreError> {
    valid("duration", u32::try_from(stored).map(Millis::from_seconds))
}
