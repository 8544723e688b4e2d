//! `POST /v1/agent/enrol`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::Name;
use crate::app::enrol_node::{EnrolNodeError, Enrolment, enrol_node};
use crate::entropy::Secret;
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Json, Public};
use crate::http::openapi::Refusals;
use crate::node::{FoundDevice, Hardware, Specification, check_found};

/// A node that enrols.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Enrol {
    /// The one-use token that the provider made.
    token: String,
    /// The node's name, unique among its provider's.
    #[schema(min_length = 1, max_length = 100, example = "north-03")]
    name: String,
    /// The node's Ed25519 public key, in base64.
    #[schema(example = "O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=")]
    public_key: String,
    /// What the node has.
    hardware: EnrolHardware,
}

/// What a node has.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnrolHardware {
    /// Processor time, in thousandths of a core.
    #[schema(example = 96000)]
    cpu_milli: i64,
    /// Main memory.
    #[schema(example = 393216)]
    memory_mib: i64,
    /// Version of the GPU driver.
    #[schema(example = "550.54.15")]
    driver: Option<String>,
    /// The newest CUDA that the driver supports.
    #[schema(example = "12.4")]
    cuda_max: Option<String>,
    /// What can be rented.
    devices: Vec<EnrolDevice>,
}

/// A device that was found.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnrolDevice {
    /// What its driver calls it, for good.
    #[schema(example = "GPU-6f1c7f0e-0d5c-4a3f-8f39-0d8a5b7c9e21")]
    uuid: String,
    /// Its place in the node, counted from 0.
    slot: i32,
    /// Its model, in the driver's words.
    #[schema(example = "NVIDIA H100 80GB HBM3")]
    model: String,
    /// Its usable memory.
    #[schema(example = 81559)]
    memory_mib: i64,
}

/// An enrolled node.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Enrolled)]
pub struct EnrolledView {
    /// Its identity.
    #[schema(example = "node_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    node_id: String,
    /// Devices of models that the market does not know, by uuid. They are listed under classes of their own, unverified.
    unknown_devices: Vec<String>,
}

impl Enrol {
    fn parse(self) -> Result<Enrolment, Problem> {
        let refused = |detail: String, field: &str| Problem::new(Code::InvalidValue, detail).field(field);
        let name =
            Name::parse(&self.name).ok_or_else(|| refused("a name has 1 to 100 characters".to_owned(), "name"))?;
        let key = STANDARD.decode(&self.public_key).ok().and_then(|bytes| bytes.try_into().ok());
        let public_key = key.ok_or_else(|| refused("a public key is 32 bytes in base64".to_owned(), "public_key"))?;
        let devices: Vec<_> = self.hardware.devices.into_iter().map(FoundDevice::from).collect();
        check_found(&devices).map_err(|error| refused(error.to_string(), "devices"))?;
        let hardware = Hardware::check(Specification {
            cpu_milli: self.hardware.cpu_milli,
            memory_mib: self.hardware.memory_mib,
            driver: self.hardware.driver,
            cuda_max: self.hardware.cuda_max,
            ..Specification::default()
        })
        .map_err(|error| refused(error.to_string(), error.field()))?;
        Ok(Enrolment { token: Secret::presented(&self.token), name, public_key, hardware, devices })
    }
}

impl From<EnrolDevice> for FoundDevice {
    fn from(device: EnrolDevice) -> Self {
        Self { uuid: device.uuid, slot: device.slot, model: device.model, memory_mib: device.memory_mib }
    }
}

/// Enrol a node
///
/// Uses the token up. A node that comes again with its key is the node that it was, and its rentals are bound to it again.
#[utoipa::path(tag = "agents", operation_id = "enrol_node", request_body = Enrol,
    responses((status = 201, body = EnrolledView), Refusals), security(()))]
#[post("/v1/agent/enrol")]
pub async fn enrol(_public: Public, body: Json<Enrol>, state: Data<State>) -> Result<HttpResponse, Problem> {
    let enrolment = body.0.parse()?;
    let mut ctx = state.begin_anonymous().await?;
    let enrolled = enrol_node(&mut ctx, &enrolment).await?;
    ctx.tx.commit().await?;
    let view = EnrolledView { node_id: enrolled.node.to_string(), unknown_devices: enrolled.unknown };
    Ok(HttpResponse::Created().json(view))
}

impl From<EnrolNodeError> for Problem {
    fn from(error: EnrolNodeError) -> Self {
        match error {
            EnrolNodeError::Token => Self::new(Code::EnrolmentTokenInvalid, error).field("token"),
            EnrolNodeError::NameTaken => Self::new(Code::NameTaken, error).field("name"),
            EnrolNodeError::KeyTaken => Self::new(Code::NodeKeyTaken, error).field("public_key"),
            EnrolNodeError::Store(error) => error.into(),
        }
    }
}
