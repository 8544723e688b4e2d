//! `POST /v1/profiles`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use scheduler::world::money::Micros;
use serde::Deserialize;
use utoipa::ToSchema;

use super::ProfileView;
use crate::app::create_profile::{NewProfile, ProfileError, create_profile};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::http::{State, field};
use crate::store::profiles::{ProfileUnit, Speed};

/// Measured speeds of a workload.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateProfile {
    /// What people call the workload.
    #[schema(min_length = 1, max_length = 100, example = "llama-8b-finetune")]
    name: String,
    /// What its speeds count.
    unit: ProfileUnit,
    /// Where the figures come from.
    #[schema(min_length = 1, max_length = 100, example = "measured on node rack-3-node-7, 2026-01-31")]
    source: String,
    /// By class and gang. A class that is not listed cannot run it.
    #[schema(min_items = 1, max_items = 512)]
    speeds: Vec<CreateSpeed>,
}

/// The speed of a whole gang.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateSpeed {
    /// On which class.
    #[schema(example = "h100-80gb")]
    class_id: String,
    /// With how many devices.
    #[schema(minimum = 1, maximum = 64, example = 8)]
    gang: i32,
    /// Units per second, a decimal to the thousandth; 0 where it cannot run.
    #[schema(example = "7.92")]
    units_per_second: String,
}

/// Add a profile
#[utoipa::path(tag = "operators", operation_id = "create_profile", request_body = CreateProfile, responses((status = 201, body = ProfileView), Refusals))]
#[post("/v1/profiles")]
pub async fn create(
    allowed: Allowed<Operate>,
    body: Json<CreateProfile>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let new = body.0.parse()?;
    let mut ctx = state.begin(allowed.caller).await?;
    let profile = create_profile(&mut ctx, new).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(ProfileView::from(profile)))
}

impl CreateProfile {
    fn parse(self) -> Result<NewProfile, Problem> {
        Ok(NewProfile {
            name: field::name("name", &self.name)?,
            unit: self.unit,
            source: field::name("source", &self.source)?,
            speeds: self.speeds.into_iter().map(CreateSpeed::parse).collect::<Result<_, _>>()?,
        })
    }
}

impl CreateSpeed {
    fn parse(self) -> Result<Speed, Problem> {
        const FIELD: &str = "speeds.units_per_second";
        let micros: Micros = self.units_per_second.parse().map_err(|error| field::invalid(FIELD, error))?;
        if micros.get() % 1000 != 0 {
            return Err(field::invalid(FIELD, "a speed has at most three decimals"));
        }
        Ok(Speed {
            class: field::class("speeds.class_id", &self.class_id)?,
            gang: self.gang,
            milliunits_per_second: micros.get() / 1000,
        })
    }
}

impl From<ProfileError> for Problem {
    fn from(error: ProfileError) -> Self {
        match error {
            ProfileError::NameTaken => Self::new(Code::NameTaken, error).field("name"),
            ProfileError::Count | ProfileError::Repeated(_) => field::invalid("speeds", error),
            ProfileError::Gang => field::invalid("speeds.gang", error),
            ProfileError::NoSuchClass(_) => Self::new(Code::NoSuchClass, error).field("speeds.class_id"),
            ProfileError::Store(store) => store.into(),
        }
    }
}
