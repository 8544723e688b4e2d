//! What each route needs. A new route gets its line here: `tests/contract` fails without it.

use std::fmt;

use reqwest::Method;
use serde_json::{Value, json};
use souk::app::Caller;
use souk::http::permission::{
    Administer, Authenticated, Operate, Permission, Person, PlaceBids, Read, ReadEarnings, ReadMoney, Rent, SubmitJobs,
    Supply, WriteKeys,
};

/// What a route needs of its caller.
#[derive(Clone, Copy)]
pub enum Needs {
    /// Nothing: the route is public.
    Nobody,
    /// A caller with this permission.
    Caller(fn(&Caller) -> bool),
    /// A node with its own token: no person and no program.
    Node,
}

impl Needs {
    /// Whether a caller is allowed.
    pub fn allow(self, caller: &Caller) -> bool {
        match self {
            Self::Nobody => true,
            Self::Caller(allows) => allows(caller),
            Self::Node => false,
        }
    }
}

/// One route.
pub struct Case {
    /// Its method.
    pub method: Method,
    /// Its path, as described.
    pub path: &'static str,
    /// What it needs.
    pub needs: Needs,
    /// The kind of object that its `{id}` names, where objects belong to organisations.
    pub object: Option<&'static str>,
    /// A body that is well formed.
    pub body: Option<Value>,
}

impl Case {
    fn of(mut self, object: &'static str) -> Self {
        self.object = Some(object);
        self
    }

    fn body(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }

    /// The path with an id in it; one that nobody has, if none is given.
    pub fn path_with(&self, id: Option<&str>) -> String {
        let nobodys = self.object.map_or_else(|| "x".to_owned(), |prefix| format!("{prefix}_{}", "0".repeat(32)));
        let user = format!("usr_{}", "0".repeat(32));
        self.path
            .replace("{id}", id.unwrap_or(&nobodys))
            .replace("{user_id}", &user)
            .replace("{number}", "1")
            .replace("{ticket}", "x")
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

fn case(method: Method, path: &'static str, needs: Needs) -> Case {
    Case { method, path, needs, object: None, body: None }
}

fn public(method: Method, path: &'static str) -> Case {
    case(method, path, Needs::Nobody)
}

fn node(method: Method, path: &'static str) -> Case {
    case(method, path, Needs::Node)
}

fn route<P: Permission>(method: Method, path: &'static str) -> Case {
    case(method, path, Needs::Caller(P::allows))
}

/// Every route, in the order of the route table.
pub fn table() -> Vec<Case> {
    const GET: Method = Method::GET;
    const POST: Method = Method::POST;
    const PATCH: Method = Method::PATCH;
    const DELETE: Method = Method::DELETE;
    vec![
        // Identity
        public(POST, "/v1/auth/register"),
        public(POST, "/v1/auth/login"),
        public(POST, "/v1/auth/refresh"),
        public(POST, "/v1/auth/logout"),
        route::<Authenticated>(GET, "/v1/me"),
        route::<Authenticated>(GET, "/v1/organisations"),
        route::<Person>(POST, "/v1/organisations").body(json!({"name": "Another"})),
        route::<Read>(GET, "/v1/organisations/{id}/members").of("org"),
        route::<Administer>(POST, "/v1/organisations/{id}/members")
            .of("org")
            .body(json!({"email": "nobody@example.org", "role": "viewer"})),
        route::<Administer>(PATCH, "/v1/organisations/{id}/members/{user_id}")
            .of("org")
            .body(json!({"role": "viewer"})),
        route::<Person>(DELETE, "/v1/organisations/{id}/members/{user_id}").of("org"),
        route::<Administer>(GET, "/v1/api-keys"),
        route::<Administer>(POST, "/v1/api-keys").body(json!({"name": "k", "scopes": ["read"]})),
        route::<Administer>(DELETE, "/v1/api-keys/{id}").of("key"),
        route::<Read>(GET, "/v1/ssh-keys"),
        route::<WriteKeys>(POST, "/v1/ssh-keys").body(json!({"name": "k", "public_key": "x"})),
        route::<WriteKeys>(DELETE, "/v1/ssh-keys/{id}").of("ssh"),
        // Demand
        route::<PlaceBids>(POST, "/v1/bids").body(json!({"gpu": "H100:1", "limit_per_gpu_hour": "1.00"})),
        route::<Read>(POST, "/v1/bids/dry-run").body(json!({"gpu": "H100:1", "limit_per_gpu_hour": "1.00"})),
        route::<Read>(GET, "/v1/bids"),
        route::<Read>(GET, "/v1/bids/{id}").of("bid"),
        route::<Read>(GET, "/v1/bids/{id}/explanation").of("bid"),
        route::<PlaceBids>(POST, "/v1/bids/{id}/cancel").of("bid"),
        route::<SubmitJobs>(POST, "/v1/jobs")
            .body(json!({"name": "j", "gpu": "H100:1", "work": "1", "budget": "10.00"})),
        route::<Read>(POST, "/v1/jobs/dry-run")
            .body(json!({"name": "j", "gpu": "H100:1", "work": "1", "budget": "10.00"})),
        route::<Read>(GET, "/v1/jobs"),
        route::<Read>(GET, "/v1/jobs/{id}").of("job"),
        route::<Read>(GET, "/v1/jobs/{id}/explanation").of("job"),
        route::<SubmitJobs>(POST, "/v1/jobs/{id}/cancel").of("job"),
        route::<Rent>(POST, "/v1/quotes").body(json!({"ask_id": format!("ask_{}", "0".repeat(32)), "devices": 1})),
        route::<Read>(GET, "/v1/quotes/{id}").of("quo"),
        route::<Rent>(POST, "/v1/rentals").body(json!({"ask_id": format!("ask_{}", "0".repeat(32)), "devices": 1})),
        route::<Read>(GET, "/v1/rentals"),
        route::<Read>(GET, "/v1/rentals/{id}").of("rnt"),
        route::<Read>(GET, "/v1/rentals/{id}/logs").of("rnt"),
        route::<Read>(GET, "/v1/rentals/{id}/usage").of("rnt"),
        route::<Rent>(POST, "/v1/rentals/{id}/stop").of("rnt"),
        route::<Rent>(POST, "/v1/rentals/{id}/start").of("rnt"),
        route::<Rent>(POST, "/v1/rentals/{id}/end").of("rnt"),
        route::<Rent>(POST, "/v1/rentals/{id}/shells").of("rnt"),
        // The one-use ticket in the path is the permission.
        public(GET, "/v1/shells/{ticket}"),
        // Money
        route::<ReadMoney>(GET, "/v1/wallet"),
        route::<ReadMoney>(GET, "/v1/wallet/entries"),
        route::<ReadMoney>(GET, "/v1/wallet/holds"),
        route::<ReadMoney>(GET, "/v1/usage"),
        route::<Operate>(POST, "/v1/credits")
            .body(json!({"organisation_id": format!("org_{}", "0".repeat(32)), "amount": "1.00", "reason": "test"})),
        // Market data
        public(GET, "/v1/pools"),
        public(GET, "/v1/pools/{id}"),
        public(GET, "/v1/offers"),
        public(GET, "/v1/device-classes"),
        public(GET, "/v1/profiles"),
        public(GET, "/v1/pools/{id}/prices"),
        public(GET, "/v1/pools/{id}/depth"),
        public(GET, "/v1/pools/{id}/fairness"),
        public(GET, "/v1/pools/{id}/rounds"),
        public(GET, "/v1/pools/{id}/rounds/{number}"),
        public(GET, "/v1/pools/{id}/rounds/{number}/record"),
        route::<Operate>(POST, "/v1/pools/{id}/rounds"),
        // Supply
        route::<Read>(GET, "/v1/providers"),
        route::<Supply>(POST, "/v1/providers").body(json!({"name": "North"})),
        route::<ReadEarnings>(GET, "/v1/providers/{id}/earnings").of("prv"),
        route::<Read>(GET, "/v1/providers/{id}/nodes").of("prv"),
        route::<Supply>(POST, "/v1/providers/{id}/nodes").of("prv").body(json!({
            "pool_id": format!("pool_{}", "0".repeat(32)),
            "name": "n1",
            "hardware": {"cpu_milli": 1000, "memory_mib": 1024, "devices": [{"class_id": "h100-80gb", "count": 1}]},
        })),
        route::<Supply>(POST, "/v1/providers/{id}/enrolment-tokens")
            .of("prv")
            .body(json!({"pool_id": format!("pool_{}", "0".repeat(32))})),
        route::<Read>(GET, "/v1/nodes/{id}").of("node"),
        route::<Supply>(POST, "/v1/nodes/{id}/drain").of("node"),
        route::<Supply>(POST, "/v1/nodes/{id}/resume").of("node"),
        route::<Read>(GET, "/v1/asks"),
        route::<Supply>(POST, "/v1/asks").body(json!({
            "node_id": format!("node_{}", "0".repeat(32)),
            "class_id": "h100-80gb",
            "price_per_gpu_hour": "2.00",
            "floor_per_gpu_hour": "1.00",
        })),
        route::<Supply>(POST, "/v1/asks/{id}/withdraw").of("ask"),
        // Agents
        public(POST, "/v1/agent/enrol"),
        public(GET, "/v1/agent/time"),
        // Public in so far as no token is asked for: the proof is in the body.
        public(POST, "/v1/agent/token"),
        node(POST, "/v1/agent/heartbeat").body(json!({"sequence": 1, "workloads": []})),
        node(GET, "/v1/agent/work"),
        node(GET, "/v1/agent/shells/{id}"),
        // Operators
        route::<Operate>(POST, "/v1/pools").body(json!({"name": "campus"})),
        route::<Operate>(PATCH, "/v1/pools/{id}").body(json!({"fee_bps": 0})),
        route::<Operate>(POST, "/v1/device-classes")
            .body(json!({"id": "x-1gb", "vendor": "nvidia", "model": "X", "memory_mib": 1024})),
        route::<Operate>(POST, "/v1/profiles").body(json!({
            "name": "p",
            "unit": "steps",
            "source": "measured",
            "speeds": [{"class_id": "h100-80gb", "gang": 1, "units_per_second": "1"}],
        })),
        route::<Operate>(GET, "/v1/admin/overview"),
        route::<Operate>(GET, "/v1/admin/organisations"),
        route::<Operate>(GET, "/v1/admin/alerts"),
        route::<Operate>(POST, "/v1/admin/alerts/{id}/resolve"),
        // Events
        route::<Read>(GET, "/v1/events"),
        public(GET, "/v1/pools/{id}/events"),
        // System
        public(GET, "/healthz"),
        public(GET, "/readyz"),
        public(GET, "/metrics"),
        public(GET, "/openapi.json"),
        public(GET, "/docs"),
        public(GET, "/docs/errors"),
    ]
}
