//! `POST /v1/pools`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use scheduler::world::{PriceRule, SharePolicy, Tilt};
use serde::Deserialize;
use utoipa::ToSchema;

use super::PoolView;
use super::settings::{PriceRuleName, SharePolicyName, TiltName, Written, said};
use crate::app::create_pool::{CreatePoolError, Currency, PoolName, create_pool};
use crate::app::market_pool::complete_one;
use crate::app::pool_settings::SettingsChange;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::http::{State, field};

/// A new pool. What is not said follows from the time between rounds.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreatePool {
    /// Its name, for good.
    #[schema(pattern = "^[a-z0-9][a-z0-9-]{0,62}$", example = "campus")]
    name: String,
    /// The currency of everything in it, for good; the server's if absent.
    #[schema(pattern = "^[A-Z]{3}$", example = "USD")]
    currency: Option<String>,
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
}

/// Open a pool
#[utoipa::path(tag = "operators", operation_id = "create_pool", request_body = CreatePool, responses((status = 201, body = PoolView), Refusals))]
#[post("/v1/pools")]
pub async fn create(
    allowed: Allowed<Operate>,
    body: Json<CreatePool>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let name = PoolName::parse(&body.0.name)
        .ok_or_else(|| field::invalid("name", "a name is 1 to 63 of a-z, 0-9 and -, and does not begin with -"))?;
    let currency = body.0.currency.as_deref().unwrap_or(&state.config.currency);
    let currency = Currency::parse(currency)
        .ok_or_else(|| field::invalid("currency", "a currency is three capital letters such as USD"))?;
    let settings = body.0.settings()?;
    let mut ctx = state.begin(allowed.caller).await?;
    let pool = create_pool(&mut ctx, name, currency, &settings).await?;
    let now = ctx.now;
    let market = complete_one(&mut ctx.tx, pool, now).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(PoolView::from(market)))
}

impl CreatePool {
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
}

impl From<CreatePoolError> for Problem {
    fn from(error: CreatePoolError) -> Self {
        match error {
            CreatePoolError::NameTaken => Self::new(Code::NameTaken, error).field("name"),
            CreatePoolError::Setting(setting) => setting.into(),
            CreatePoolError::Store(store) => store.into(),
        }
    }
}
