//! `POST /v1/auth/register`

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{SessionView, admit};
use crate::app::Name;
use crate::app::auth::{Email, Password};
use crate::app::register::{RegisterError, Registration, register as run};
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Json, Public};
use crate::http::openapi::Refusals;

/// A new person.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Register {
    /// How the person logs in.
    #[schema(example = "ana@example.org", max_length = 254)]
    email: String,
    /// 10 to 200 characters, any.
    #[schema(example = "correct horse battery staple", min_length = 10, max_length = 200)]
    password: String,
    /// What others call the person.
    #[schema(example = "Ana", min_length = 1, max_length = 100)]
    display_name: String,
    /// What the person's organisation is called; the display name if absent.
    #[schema(example = "Ana's lab", min_length = 1, max_length = 100)]
    organisation_name: Option<String>,
}

/// Sign up
///
/// Creates the person and an organisation of its own, with an empty wallet, and logs the person in.
#[utoipa::path(tag = "identity", operation_id = "register", request_body = Register, responses((status = 201, body = SessionView), Refusals), security(()))]
#[post("/v1/auth/register")]
pub async fn register(
    _: Public,
    request: HttpRequest,
    body: Json<Register>,
    state: Data<State>,
) -> Result<HttpResponse, Problem> {
    let Register { email, password, display_name, organisation_name } = body.0;
    let email = Email::parse(&email).ok_or_else(|| refused("this is not an email address", "email"))?;
    let password = Password::chosen(&password).map_err(|error| refused(error, "password"))?;
    let display_name = name(&display_name, "display_name")?;
    let organisation_name =
        organisation_name.map_or_else(|| Ok(display_name.clone()), |given| name(&given, "organisation_name"))?;
    admit(&state, &request, None).await?;
    let password_hash = state.identity.passwords.hash(password, &*state.entropy).await?;
    let registration = Registration { email, password_hash, display_name, organisation_name };
    let mut ctx = state.begin_anonymous().await?;
    let session =
        run(&mut ctx, &state.identity, registration, &state.config.currency, state.config.sign_up_credit).await?;
    ctx.tx.commit().await?;
    Ok(HttpResponse::Created().json(SessionView::from(session)))
}

fn name(text: &str, field: &str) -> Result<Name, Problem> {
    Name::parse(text).ok_or_else(|| refused("a name has 1 to 100 characters", field))
}

fn refused(detail: impl ToString, field: &str) -> Problem {
    Problem::new(Code::InvalidValue, detail).field(field)
}

impl From<RegisterError> for Problem {
    fn from(error: RegisterError) -> Self {
        match error {
            RegisterError::EmailTaken => Self::new(Code::EmailTaken, error).field("email"),
            RegisterError::Credit(error) => error.into(),
            RegisterError::Store(store) => store.into(),
        }
    }
}
