//! `POST /v1/device-classes`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use scheduler::world::class::DeviceClass;
use serde::Deserialize;
use utoipa::ToSchema;

use super::DeviceClassView;
use crate::app::create_device_class::{DeviceClassError, create_device_class};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::http::{State, field};

/// A new kind of device.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateDeviceClass {
    /// Its key, for good.
    #[schema(pattern = "^[a-z0-9][a-z0-9.-]{0,62}$", example = "gb300-288gb")]
    id: String,
    /// Who makes it.
    #[schema(example = "nvidia")]
    vendor: String,
    /// The model, as a GPU request would name it.
    #[schema(example = "GB300")]
    model: String,
    /// Nominal memory of one device.
    #[schema(minimum = 1, example = 294_912)]
    memory_mib: i64,
    /// For a slice.
    #[schema(example = "1g.10gb")]
    mig_profile: Option<String>,
}

/// Add a device class
#[utoipa::path(tag = "operators", operation_id = "create_device_class", request_body = CreateDeviceClass, responses((status = 201, body = DeviceClassView), Refusals))]
#[post("/v1/device-classes")]
pub async fn create(
    allowed: Allowed<Operate>,
    body: Json<CreateDeviceClass>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let CreateDeviceClass { id, vendor, model, memory_mib, mig_profile } = body.0;
    let class = DeviceClass { id: field::class("id", &id)?, vendor, model, memory_mib, mig_profile };
    let mut ctx = state.begin(allowed.caller).await?;
    let class = create_device_class(&mut ctx, class).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(DeviceClassView::from(class)))
}

impl From<DeviceClassError> for Problem {
    fn from(error: DeviceClassError) -> Self {
        match error {
            DeviceClassError::Exists(_) => Self::new(Code::NameTaken, error).field("id"),
            DeviceClassError::Vendor => field::invalid("vendor", error),
            DeviceClassError::Model => field::invalid("model", error),
            DeviceClassError::Memory => field::invalid("memory_mib", error),
            DeviceClassError::Profile => field::invalid("mig_profile", error),
            DeviceClassError::Store(store) => store.into(),
        }
    }
}
