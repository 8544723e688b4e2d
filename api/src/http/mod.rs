//! The whole route table, top to bottom. A handler authenticates by its signature, parses its body into a domain value,
//! opens one transaction, runs one use case, commits in one visible line and renders a view. No SQL and no decisions here.

pub mod docs;
pub mod error;
pub mod etag;
pub mod extract;
pub mod field;
pub mod middleware;
pub mod openapi;
mod page;
pub mod permission;
pub mod reply;
mod server;
mod unmatched;
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
        .service(v1::auth::refresh::refresh)
        .service(v1::auth::logout::logout)
        .service(v1::me::get::get)
        .service(v1::organisations::list::list)
        .service(v1::organisations::create::create)
        .service(v1::organisations::members::list::list)
        .service(v1::organisations::members::add::add)
        .service(v1::organisations::members::change_role::change_role)
        .service(v1::organisations::members::remove::remove)
        .service(v1::api_keys::list::list)
        .service(v1::api_keys::create::create)
        .service(v1::api_keys::revoke::revoke)
        .service(v1::ssh_keys::list::list)
        .service(v1::ssh_keys::add::add)
        .service(v1::ssh_keys::remove::remove)
        // Demand
        .service(v1::quotes::create::create)
        .service(v1::quotes::get::get)
        .service(v1::bids::place::place)
        .service(v1::bids::list::list)
        .service(v1::bids::get::get)
        .service(v1::bids::explanation::explanation)
        .service(v1::bids::cancel::cancel)
        .service(v1::bids::dry_run::dry_run)
        .service(v1::rentals::list::list)
        .service(v1::rentals::create::create)
        .service(v1::rentals::get::get)
        .service(v1::rentals::stop::stop)
        .service(v1::rentals::start::start)
        .service(v1::rentals::end::end)
        .service(v1::rentals::logs::logs)
        .service(v1::rentals::usage::list)
        .service(v1::jobs::submit::submit)
        .service(v1::jobs::dry_run::dry_run)
        .service(v1::jobs::list::list)
        .service(v1::jobs::get::get)
        .service(v1::jobs::explanation::explanation)
        .service(v1::jobs::cancel::cancel)
        .service(v1::rentals::open_shell::open)
        .service(v1::shells::connect::connect)
        // Money
        .service(v1::wallet::get::get)
        .service(v1::wallet::entries::list)
        .service(v1::wallet::holds::list)
        .service(v1::usage::list::list)
        .service(v1::credits::create::create)
        // Market data
        .service(v1::pools::list::list)
        .service(v1::pools::get::get)
        .service(v1::device_classes::list::list)
        .service(v1::profiles::list::list)
        .service(v1::offers::search::search)
        .service(v1::prices::history::history)
        .service(v1::depth::get::get)
        .service(v1::rounds::list::list)
        .service(v1::rounds::get::get)
        .service(v1::rounds::record::record)
        .service(v1::fairness::get::get)
        .service(v1::rounds::clear::clear)
        // Supply
        .service(v1::providers::list::list)
        .service(v1::providers::create::create)
        .service(v1::providers::earnings::get_earnings)
        .service(v1::providers::list_nodes::list_nodes)
        .service(v1::providers::add_node::add_node)
        .service(v1::providers::create_enrolment_token::create_enrolment_token)
        .service(v1::nodes::get::get)
        .service(v1::nodes::drain::drain)
        .service(v1::nodes::resume::resume)
        .service(v1::asks::list::list)
        .service(v1::asks::place::place)
        .service(v1::asks::withdraw::withdraw)
        // Agents
        .service(v1::agent::enrol::enrol)
        .service(v1::agent::time::get)
        .service(v1::agent::token::issue)
        .service(v1::agent::heartbeat::send)
        .service(v1::agent::work::wait)
        .service(v1::agent::shell::dial)
        // Operators
        .service(v1::pools::create::create)
        .service(v1::pools::update::update)
        .service(v1::device_classes::create::create)
        .service(v1::profiles::create::create)
        .service(v1::admin::overview::get)
        .service(v1::admin::organisations::list)
        .service(v1::alerts::list::list)
        .service(v1::alerts::resolve::resolve)
        // Events
        .service(v1::events::follow::follow)
        .service(v1::events::follow_pool::follow_pool)
        // System
        .service(v1::system::healthz::healthz)
        .service(v1::system::readyz::readyz)
        .service(v1::system::metrics::metrics)
        .service(docs::get_description)
        .service(docs::get_reference)
        .service(docs::get_error_codes);
}
