//! `POST /v1/ssh-keys`

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::SshKeyView;
use crate::State;
use crate::app::Name;
use crate::app::add_ssh_key::{AddSshKeyError, add_ssh_key};
use crate::app::ssh_key::SshKey;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::WriteKeys;

/// A public SSH key to add.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddSshKey {
    /// What people call it.
    #[schema(example = "laptop", min_length = 1, max_length = 100)]
    name: String,
    /// The one line of a file that ends in `.pub`: Ed25519, ECDSA, or RSA from 2048 bits.
    #[schema(example = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJwt2DTk4sg7Cs+afnUBHH25eTX/z6EbRwGnooljenxf ana@lab")]
    public_key: String,
}

/// Add an SSH key
#[utoipa::path(tag = "identity", operation_id = "add_ssh_key", request_body = AddSshKey, responses((status = 201, body = SshKeyView), Refusals))]
#[post("/v1/ssh-keys")]
pub async fn add(
    allowed: Allowed<WriteKeys>,
    body: Json<AddSshKey>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let name = Name::parse(&body.0.name)
        .ok_or_else(|| Problem::new(Code::InvalidValue, "a name has 1 to 100 characters").field("name"))?;
    let key = SshKey::parse(&body.0.public_key)
        .map_err(|refused| Problem::new(Code::SshKeyInvalid, refused).field("public_key"))?;
    let mut ctx = state.begin(allowed.caller).await?;
    let stored = add_ssh_key(&mut ctx, &name, &key).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(SshKeyView::from(stored)))
}

impl From<AddSshKeyError> for Problem {
    fn from(error: AddSshKeyError) -> Self {
        match error {
            AddSshKeyError::Exists => Self::new(Code::SshKeyExists, error).field("public_key"),
            AddSshKeyError::TooMany => Self::new(Code::LimitReached, error),
            AddSshKeyError::Store(store) => store.into(),
        }
    }
}
