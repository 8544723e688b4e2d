//! `POST /v1/providers/{id}/nodes`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use scheduler::world::ids::ProviderId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::add_simulated_node::{AddNodeError, SimulatedNode, add_simulated_node};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Id, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Supply;
use crate::http::v1::nodes::NodeView;
use crate::http::{State, field};
use crate::node::{DeviceGroup, Hardware, HardwareError, Region, Specification};

/// A simulated node.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddNode {
    /// Where it is cleared.
    #[schema(example = "pool_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    pool_id: String,
    /// What the provider calls it; no two of its nodes alike.
    #[schema(min_length = 1, max_length = 100, example = "rack-3-node-7")]
    name: String,
    /// Where in the world it is; `local` if absent.
    #[schema(example = "eu-west")]
    region: Option<String>,
    /// What it has.
    hardware: AddHardware,
}

/// What a node has.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddHardware {
    /// Processor time, in thousandths of a core.
    #[schema(minimum = 1, example = 96000)]
    cpu_milli: i64,
    /// Main memory.
    #[schema(minimum = 1, example = 393_216)]
    memory_mib: i64,
    /// Whether its GPUs are connected by NVLink.
    #[serde(default)]
    nvlink: bool,
    /// Bandwidth from the internet.
    #[serde(default)]
    #[schema(minimum = 0, example = 10_000)]
    inet_down_mbps: i32,
    /// Version of the GPU driver.
    #[schema(example = "550.54.15")]
    driver: Option<String>,
    /// The newest CUDA that the driver supports.
    #[schema(example = "12.4")]
    cuda_max: Option<String>,
    /// Devices by class.
    #[schema(min_items = 1, max_items = 16)]
    devices: Vec<AddDevices>,
}

/// Devices of one class.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddDevices {
    /// Which class.
    #[schema(example = "h100-80gb")]
    class_id: String,
    /// How many.
    #[schema(minimum = 1, maximum = 1024, example = 8)]
    count: i32,
}

/// Add a simulated node
///
/// Only on a server with its embedded database, or started with `--allow-simulated`: what such a node sells is not real. A real node enrols
/// itself, with a token from `POST /v1/providers/{id}/enrolment-tokens`.
#[utoipa::path(tag = "supply", operation_id = "add_node", params(("id" = String, Path, description = "The provider")), request_body = AddNode, responses((status = 201, body = NodeView), Refusals))]
#[post("/v1/providers/{id}/nodes")]
pub async fn add_node(
    allowed: Allowed<Supply>,
    id: Id<ProviderId>,
    body: Json<AddNode>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let wanted = body.0.parse(id.0)?;
    let mut ctx = state.begin(allowed.caller).await?;
    let node = add_simulated_node(&mut ctx, state.config.allow_simulated, wanted).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(NodeView::from(node)))
}

impl AddNode {
    fn parse(self, provider: ProviderId) -> Result<SimulatedNode, Problem> {
        let said = self.hardware;
        let group = |AddDevices { class_id, count }| {
            Ok(DeviceGroup { class: field::class("hardware.devices.class_id", &class_id)?, count })
        };
        let groups = said.devices.into_iter().map(group).collect::<Result<Vec<_>, Problem>>()?;
        DeviceGroup::check_all(&groups)?;
        let hardware = Hardware::check(Specification {
            cpu_milli: said.cpu_milli,
            memory_mib: said.memory_mib,
            nvlink: said.nvlink,
            inet_down_mbps: said.inet_down_mbps,
            driver: said.driver,
            cuda_max: said.cuda_max,
        })?;
        let region = self.region.map_or_else(
            || Ok(Region::default()),
            |text| {
                Region::parse(&text).ok_or_else(|| field::invalid("region", "a region is 1 to 63 of a-z, 0-9 and -"))
            },
        )?;
        let pool = field::id("pool_id", &self.pool_id)?;
        Ok(SimulatedNode { provider, pool, name: field::name("name", &self.name)?, region, hardware, groups })
    }
}

impl From<HardwareError> for Problem {
    fn from(error: HardwareError) -> Self {
        let field = format!("hardware.{}", error.field());
        Self::new(Code::InvalidValue, error).field(field)
    }
}

impl From<AddNodeError> for Problem {
    fn from(error: AddNodeError) -> Self {
        match error {
            AddNodeError::NotAllowed => Self::new(Code::SimulatedNotAllowed, error),
            AddNodeError::NoSuchProvider => Self::not_found("provider"),
            AddNodeError::NoSuchPool => field::invalid("pool_id", error),
            AddNodeError::OtherCurrency { .. } => Self::new(Code::OtherCurrency, error).field("pool_id"),
            AddNodeError::NoSuchClass(_) => Self::new(Code::NoSuchClass, error).field("hardware.devices.class_id"),
            AddNodeError::NameTaken => Self::new(Code::NameTaken, error).field("name"),
            AddNodeError::Store(store) => store.into(),
        }
    }
}
