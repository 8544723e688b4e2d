//! Signing up, logging in, refreshing, logging out.

pub mod login;
pub mod logout;
pub mod refresh;
pub mod register;
mod view;

pub use view::SessionView;

use actix_web::HttpRequest;

use crate::State;
use crate::app::auth::Email;
use crate::http::error::Problem;
use crate::http::middleware::rate_limit;
use crate::limiter::Rate;

/// Counts an attempt to log in or sign up: passwords must not be guessed, neither one person's nor everybody's.
async fn admit(state: &State, request: &HttpRequest, email: Option<&Email>) -> Result<(), Problem> {
    let peer = request.peer_addr().map(|peer| peer.ip());
    let address = rate_limit::address(request.headers(), peer, state.config.behind_proxy);
    let by_address = state.limiter.count(Rate::LoginAddress, &address).await;
    rate_limit::refuse(state, by_address)?;
    if let Some(email) = email {
        rate_limit::refuse(state, state.limiter.count(Rate::LoginEmail, email.as_str()).await)?;
    }
    Ok(())
}
