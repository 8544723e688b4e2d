//! `GET /v1/device-classes`

use actix_web::get;
use actix_web::web::{self, Data};

use super::DeviceClassView;
use crate::http::State;
use crate::http::error::Problem;
use crate::http::extract::{List, Public};
use crate::http::openapi::Refusals;
use crate::store::device_classes;

/// List the device classes
///
/// All of them on one page, in the order of their keys.
#[utoipa::path(tag = "market", operation_id = "list_device_classes", responses((status = 200, body = List<DeviceClassView>), Refusals), security(()))]
#[get("/v1/device-classes")]
pub async fn list(_: Public, state: Data<State>) -> Result<web::Json<List<DeviceClassView>>, Problem> {
    let mut tx = state.begin_snapshot().await?;
    let classes = device_classes::all(&mut tx).await?;
    Ok(web::Json(List::whole(classes.into_iter().map(DeviceClassView::from).collect())))
}
