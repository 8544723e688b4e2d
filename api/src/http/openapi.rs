//! The API's description: what utoipa cannot collect from the handlers.

use utoipa::OpenApi;
use utoipa_actix_web::AppExt as _;

use super::error::ProblemBody;

/// Title, licence, tags and security schemes.
#[derive(Debug, OpenApi)]
#[openapi(
    info(title = "souk", description = "An open GPU marketplace with a fairness you can prove."),
    components(schemas(crate::http::error::Code, crate::http::error::ProblemBody<'_>))
)]
pub struct Description;

/// The refusals that every authenticated route can answer with. Routes with further codes list them beside it.
#[derive(Debug, utoipa::IntoResponses)]
pub enum Refusals {
    /// The request was refused: see `code`.
    #[response(status = "4XX", content_type = "application/problem+json")]
    Client(#[to_schema] ProblemBody<'static>),
    /// The request could not be completed; nothing was changed.
    #[response(status = "5XX", content_type = "application/problem+json")]
    Server(#[to_schema] ProblemBody<'static>),
}

/// The methods of a path, in the order of the reference.
#[must_use]
pub fn methods(item: &utoipa::openapi::PathItem) -> Vec<&'static str> {
    [
        ("GET", item.get.is_some()),
        ("POST", item.post.is_some()),
        ("PUT", item.put.is_some()),
        ("PATCH", item.patch.is_some()),
        ("DELETE", item.delete.is_some()),
    ]
    .into_iter()
    .filter_map(|(method, there)| there.then_some(method))
    .collect()
}

/// The whole description: the routes' own parts and [`Description`].
#[must_use]
pub fn description() -> utoipa::openapi::OpenApi {
    let (_, description) = actix_web::App::new()
        .into_utoipa_app()
        .openapi(Description::openapi())
        .configure(super::routes)
        .split_for_parts();
    description
}
