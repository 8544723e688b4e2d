//! `POST /v1/auth/login`

use actix_web::web::{self, Data};
use actix_web::{HttpRequest, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{SessionView, admit};
use crate::app::auth::{Busy, Email, Password};
use crate::app::login::{LoginError, check_password, login as run};
use crate::http::State;
use crate::http::error::{Code, Problem};
use crate::http::extract::{Json, Public};
use crate::http::openapi::Refusals;

/// Who logs in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The address the person signed up with.
    #[schema(example = "ana@example.org")]
    email: String,
    /// The password.
    #[schema(example = "correct horse battery staple")]
    password: String,
}

/// Log in
///
/// The person acts for the organisation it used last; `POST /v1/auth/refresh` switches.
#[utoipa::path(tag = "identity", operation_id = "login", request_body = Login, responses((status = 200, body = SessionView), Refusals), security(()))]
#[post("/v1/auth/login")]
pub async fn login(
    _: Public,
    request: HttpRequest,
    body: Json<Login>,
    state: Data<State>,
) -> Result<web::Json<SessionView>, Problem> {
    let email = Email::parse(&body.0.email);
    admit(&state, &request, email.as_ref()).await?;
    let password = Password::presented(&body.0.password);
    let user = check_password(&state.db, &state.identity, email.as_ref(), password).await?;
    let mut ctx = state.begin_anonymous().await?;
    let session = run(&mut ctx, &state.identity, user).await?;
    ctx.tx.commit().await?;
    Ok(web::Json(session.into()))
}

impl From<LoginError> for Problem {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::Refused => Self::new(Code::CredentialsInvalid, error),
            LoginError::Busy(busy) => busy.into(),
            LoginError::Store(store) => store.into(),
        }
    }
}

impl From<Busy> for Problem {
    fn from(error: Busy) -> Self {
        Self::new(Code::Unavailable, error).retry_after(5)
    }
}
