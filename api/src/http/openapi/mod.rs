//! The API's description: what utoipa collects from the handlers, and what it cannot.

mod codes;
mod names;
mod refine;

use std::sync::LazyLock;

use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{OpenApi as Document, PathItem};
use utoipa::{Modify, OpenApi};
use utoipa_actix_web::AppExt as _;

pub use codes::OWN as OWN_CODES;
pub use names::names_schema;
pub use refine::Access;

use super::error::{Code, ProblemBody};
use super::v1::events::EventView;

/// Title, tags, servers and security schemes.
#[derive(Debug, OpenApi)]
#[openapi(
    info(
        title = "souk",
        description = "An open GPU marketplace with a fairness you can prove.\n\nMoney is a decimal string in the currency beside it, times are RFC 3339 in UTC, ids carry their kind in a prefix. Every call that moves money or capacity takes an `Idempotency-Key`. Errors are `application/problem+json` with a stable `code`.",
        license(name = "Apache-2.0", identifier = "Apache-2.0")
    ),
    servers((url = "/", description = "The server that serves this description")),
    security(("access_token" = []), ("api_key" = [])),
    tags(
        (name = "identity", description = "Who you are, whom you act for, and the keys you give to programs."),
        (name = "market", description = "Pools, prices, rounds and offers. Public."),
        (name = "demand", description = "Bids, fair-share jobs and rentals."),
        (name = "money", description = "The wallet, what is set aside, and what was used."),
        (name = "supply", description = "Providers, nodes and asks."),
        (name = "events", description = "What happens, as it happens."),
        (name = "agents", description = "Called by `souk agent` on a provider's node, not by people."),
        (name = "operators", description = "For the people who run the marketplace."),
        (name = "system", description = "For the machinery around the server.")
    ),
    modifiers(&Schemes),
    components(schemas(Code, ProblemBody<'_>, EventView<'_>))
)]
pub struct Description;

struct Schemes;

impl Modify for Schemes {
    fn modify(&self, document: &mut Document) {
        let bearer = |format: &str, description: &str| {
            let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format(format);
            SecurityScheme::Http(scheme.description(Some(description)).build())
        };
        let components = document.components.get_or_insert_with(Default::default);
        let token = "A person's access token, good for ten minutes; from `POST /v1/auth/login` or `/refresh`.";
        components.add_security_scheme("access_token", bearer("JWT", token));
        let key = "A program's key, narrowed to its scopes; from `POST /v1/api-keys`.";
        components.add_security_scheme("api_key", bearer("souk_…", key));
        let node = "A node's short-lived token; from `POST /v1/agent/token`.";
        components.add_security_scheme("node_token", bearer("opaque", node));
    }
}

/// Stands in a handler's responses for every refusal that it can answer with; spelled out in the description.
#[derive(Debug, utoipa::IntoResponses)]
pub enum Refusals {
    /// The request was refused: see `code`.
    #[response(status = "4XX", content_type = "application/problem+json")]
    Client(#[to_schema] ProblemBody<'static>),
    /// The request could not be completed; nothing was changed.
    #[response(status = "5XX", content_type = "application/problem+json")]
    Server(#[to_schema] ProblemBody<'static>),
}

/// The whole description: the routes' own parts and [`Description`].
#[must_use]
pub fn description() -> &'static Document {
    static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
        let (_, collected) = actix_web::App::new()
            .into_utoipa_app()
            .openapi(Description::openapi())
            .configure(super::routes)
            .split_for_parts();
        refine::refine(collected)
    });
    &DOCUMENT
}

/// The description as it is committed and served.
#[must_use]
pub fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut text = description().to_pretty_json().expect("a description is plain data");
        text.push('\n');
        text
    });
    &TEXT
}

/// The methods of a path with their operations, in the order of the reference.
pub fn operations(item: &PathItem) -> impl Iterator<Item = (&'static str, &utoipa::openapi::path::Operation)> {
    let all = [
        ("GET", &item.get),
        ("POST", &item.post),
        ("PUT", &item.put),
        ("PATCH", &item.patch),
        ("DELETE", &item.delete),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
}
