//! The whole route table, top to bottom. A handler authenticates by its signature, parses its body into a domain value,
//! opens one transaction, runs one use case, commits in one visible line and renders a view. No SQL and no decisions here.

pub mod error;
pub mod etag;
pub mod extract;
pub mod middleware;
pub mod openapi;
pub mod permission;
pub mod reply;
mod server;
pub mod v1;
pub mod wire;

pub use crate::State;
pub use server::Application;

use utoipa_actix_web::service_config::ServiceConfig;

/// Every route of the API, in the order of the reference page.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        // Identity
        .service(v1::auth::register::register)
        .service(v1::auth::login::login)
        .service(v1::me::get::get)
        // Money
        .service(v1::wallet::get::get)
        .service(v1::wallet::entries::list)
        .service(v1::wallet::holds::list)
        .service(v1::usage::list::list)
        .service(v1::credits::create::create)
        // Supply
        .service(v1::providers::list::list)
        .service(v1::providers::create::create);
}
