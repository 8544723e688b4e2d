//! `PATCH /v1/pools/{id}`

use actix_web::patch;
use actix_web::web::{self, Data};
use scheduler::world::ids::PoolId;
use scheduler::world::{PriceRule, SharePolicy, Tilt};
use serde::Deserialize;
use utoipa::ToSchema;

use super::PoolView;
use super::settings::{PriceRuleName, SharePolicyName, TiltName, Written, said};
use crate::app::change_pool::{ChangePoolError, EntitlementPrice, change_pool};
use crate::app::market_pool::complete_one;
use crate::app::pool_settings::SettingsChange;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::http::{State, field};
use crate::loops::LoopName;

/// What to change; what is absent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdatePool {
    /// How fair-share jobs divide what is theirs.
    #[schema(value_type = Option<SharePolicyName>)]
    share_policy: Option<SharePolicy>,
    /// What `finish_time_fair` leans to; other policies have no tilt.
    #[schema(value_type = Option<TiltName>)]
    tilt: Option<Tilt>,
    /// How the rest is priced.
    #[schema(value_type = Option<PriceRuleName>)]
    price_rule: Option<PriceRule>,
    /// Time between rounds.
    #[schema(minimum = 1, maximum = 86_400, example = 60)]
    round_seconds: Option<i32>,
    /// How long a preempted rental keeps running.
    #[schema(minimum = 0, maximum = 86_400, example = 60)]
    notice_seconds: Option<i32>,
    /// How long a rental runs before it can be preempted.
    #[schema(minimum = 0, maximum = 86_400, example = 300)]
    min_run_seconds: Option<i32>,
    /// What a restart costs a job.
    #[schema(minimum = 0, maximum = 86_400, example = 10)]
    restart_seconds: Option<i32>,
    /// The marketplace's part of every charge, in hundredths of a percent.
    #[schema(minimum = 0, maximum = 5_000, example = 500)]
    fee_bps: Option<i32>,
    /// The part of every class that fair-share jobs own together: a decimal from 0 to 1.
    #[schema(example = "0.30")]
    phi: Option<String>,
    /// The largest limit that a bid may carry.
    #[schema(example = "100.00")]
    limit_cap_per_gpu_hour: Option<String>,
    /// The most that the weights of the pool's jobs may add up to. With a cap jobs are promised a finish time; null: no cap.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<String>, example = "16")]
    admission_cap: Option<Option<String>>,
    /// Classes whose entitlement price is to be set, or to follow the lowest floor again.
    #[serde(default)]
    #[schema(max_items = 64)]
    entitlement_prices: Vec<UpdateEntitlementPrice>,
}

/// What the entitled part of a fair-share job pays on a class.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateEntitlementPrice {
    /// Which class.
    #[schema(example = "h100-80gb")]
    class_id: String,
    /// The price; null to follow the lowest floor.
    #[schema(example = "1.10")]
    price_per_gpu_hour: Option<String>,
}

/// Change a pool
///
/// The next round goes by the new settings. What was agreed before stays: a rental keeps its price and its fee.
#[utoipa::path(tag = "operators", operation_id = "update_pool", params(("id" = String, Path, description = "The pool")), request_body = UpdatePool, responses((status = 200, body = PoolView), Refusals))]
#[patch("/v1/pools/{id}")]
pub async fn update(
    allowed: Allowed<Operate>,
    id: Id<PoolId>,
    body: Json<UpdatePool>,
    state: Data<State>,
) -> Result<web::Json<PoolView>, Problem> {
    let (settings, prices) = (body.0.settings()?, body.0.prices()?);
    let mut ctx = state.begin(allowed.caller).await?;
    let pool = change_pool(&mut ctx, id.0, &settings, &prices).await?;
    let now = ctx.now;
    let market = complete_one(&mut ctx.tx, pool, now).await?;
    ctx.tx.commit().await?;
    state.wake.signal(LoopName::Round);
    Ok(web::Json(PoolView::from(market)))
}

impl UpdatePool {
    fn settings(&self) -> Result<SettingsChange, Problem> {
        Written {
            share_policy: self.share_policy,
            tilt: self.tilt,
            price_rule: self.price_rule,
            round_seconds: self.round_seconds,
            notice_seconds: self.notice_seconds,
            min_run_seconds: self.min_run_seconds,
            restart_seconds: self.restart_seconds,
            fee_bps: self.fee_bps,
            phi: self.phi.clone(),
            limit_cap_per_gpu_hour: self.limit_cap_per_gpu_hour.clone(),
            admission_cap: self.admission_cap.clone(),
        }
        .parse()
    }

    fn prices(&self) -> Result<Vec<EntitlementPrice>, Problem> {
        const FIELD: &str = "entitlement_prices";
        if self.entitlement_prices.len() > 64 {
            return Err(field::invalid(FIELD, "at most 64 prices can be set at once"));
        }
        let mut prices: Vec<EntitlementPrice> = Vec::new();
        for said in &self.entitlement_prices {
            let class = field::class("entitlement_prices.class_id", &said.class_id)?;
            let price = said.price_per_gpu_hour.as_deref();
            let price = price.map(|text| field::price("entitlement_prices.price_per_gpu_hour", text)).transpose()?;
            if prices.iter().any(|(earlier, _)| *earlier == class) {
                return Err(field::invalid(FIELD, format!("{class} is listed twice")));
            }
            prices.push((class, price));
        }
        Ok(prices)
    }
}

impl From<ChangePoolError> for Problem {
    fn from(error: ChangePoolError) -> Self {
        match error {
            ChangePoolError::NoSuchPool => Self::not_found("pool"),
            ChangePoolError::NoSuchClass(_) => Self::new(Code::NoSuchClass, error).field("entitlement_prices.class_id"),
            ChangePoolError::Setting(setting) => setting.into(),
            ChangePoolError::Store(store) => store.into(),
        }
    }
}
