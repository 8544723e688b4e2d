//! The one table of error codes, and their rendering as problem+json (RFC 9457).
//!
//! A code is stable and documented; the sentence beside it may improve at any time.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::openapi::names_schema;
use crate::app::once::OnceError;
use crate::store::StoreError;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $status:literal $code:literal $title:literal;)+) => {
        /// Every error this API answers with.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub enum Code {
            $($(#[doc = $doc])+ #[serde(rename = $code)] $variant,)+
        }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stable code.
            #[must_use]
            pub const fn as_str(self) -> &'static str { match self { $(Self::$variant => $code),+ } }

            /// The HTTP status.
            #[must_use]
            pub const fn status(self) -> u16 { match self { $(Self::$variant => $status),+ } }

            /// The short title.
            #[must_use]
            pub const fn title(self) -> &'static str { match self { $(Self::$variant => $title),+ } }

            /// What it means and what to do next.
            #[must_use]
            pub const fn meaning(self) -> &'static str { match self { $(Self::$variant => concat!($($doc),+)),+ } }
        }
    };
}

impl ToSchema for Code {}

impl PartialSchema for Code {
    fn schema() -> RefOr<Schema> {
        names_schema("Every error this API answers with.", Self::ALL.iter().map(|code| code.as_str()))
    }
}

codes! {
    // The request
    /// The body is not JSON, or a field has the wrong type.
    MalformedBody = 400 "malformed_body" "Malformed body";
    /// The body or the query names a field that this route does not know.
    UnknownField = 422 "unknown_field" "Unknown field";
    /// A value is outside of what the field accepts.
    InvalidValue = 422 "invalid_value" "Invalid value";
    /// The body is larger than 64 KiB.
    BodyTooLarge = 413 "body_too_large" "Body too large";
    /// The call moves money or capacity and needs an `Idempotency-Key` header of 1 to 200 visible ASCII characters.
    IdempotencyKeyMissing = 400 "idempotency_key_missing" "Idempotency-Key missing";
    /// The key was used with another request.
    IdempotencyKeyReused = 409 "idempotency_key_reused" "Idempotency-Key reused";
    /// Too many requests; `Retry-After` says when to come back.
    RateLimited = 429 "rate_limited" "Too many requests";

    // The caller
    /// No valid token or API key was presented.
    Unauthenticated = 401 "unauthenticated" "Not authenticated";
    /// The access token's ten minutes are over: refresh the session and send the request again.
    TokenExpired = 401 "token_expired" "Access token expired";
    /// The email address or the password is not right.
    CredentialsInvalid = 401 "credentials_invalid" "Log-in refused";
    /// The refresh token is unknown or expired, or its session was ended: log in again.
    RefreshTokenInvalid = 401 "refresh_token_invalid" "Session ended";
    /// The refresh token was used before, so somebody holds a copy. The session was ended: log in again.
    RefreshTokenReused = 401 "refresh_token_reused" "Refresh token reused";
    /// Another request refreshed the session a moment ago: use the tokens that it got.
    RefreshRaced = 409 "refresh_raced" "Refreshed meanwhile";
    /// Somebody has an account with this email address.
    EmailTaken = 409 "email_taken" "Email address taken";
    /// The caller's role or the key's scopes do not allow this.
    Forbidden = 403 "forbidden" "Not allowed";
    /// The person is a member of the organisation already.
    AlreadyMember = 409 "already_member" "Member already";
    /// An organisation needs an owner: make somebody else an owner first.
    LastOwner = 409 "last_owner" "Last owner";
    /// The text is not a public SSH key that is accepted; the detail says why.
    SshKeyInvalid = 422 "ssh_key_invalid" "SSH key invalid";
    /// The organisation has this SSH key already.
    SshKeyExists = 409 "ssh_key_exists" "SSH key exists";
    /// There are as many of these as there may be: remove one first.
    LimitReached = 409 "limit_reached" "Limit reached";
    /// There is no such object, or it is not yours to see.
    NotFound = 404 "not_found" "Not found";
    /// The route exists, but not with this method.
    MethodNotAllowed = 405 "method_not_allowed" "Method not allowed";

    // Supply
    /// This server sells real devices only: it was started without `--allow-simulated`.
    SimulatedNotAllowed = 403 "simulated_not_allowed" "Simulated nodes not allowed";
    /// Something of that kind has this name already.
    NameTaken = 409 "name_taken" "Name taken";

    // Agents
    /// The enrolment token is unknown, was used or has expired: ask the provider for a new one.
    EnrolmentTokenInvalid = 401 "enrolment_token_invalid" "Enrolment refused";
    /// The node's key is enrolled with somebody else: start with an empty data directory to enrol as a new node.
    NodeKeyTaken = 409 "node_key_taken" "Key taken";
    /// This address is a WebSocket's.
    WebSocketExpected = 400 "websocket_expected" "WebSocket expected";

    // Demand
    /// The GPU request does not follow the grammar.
    GpuRequestInvalid = 422 "gpu_request_invalid" "GPU request invalid";
    /// A `filter` is not `field op value`, or has a value that the field cannot have.
    FilterInvalid = 422 "filter_invalid" "Filter invalid";
    /// No device class of the pool matches the GPU request.
    NoSuchClass = 422 "no_such_class" "No matching device class";
    /// The limit is above the pool's cap.
    BidLimitAboveCap = 422 "bid_limit_above_cap" "Limit above the cap";
    /// The limit is below the lowest floor of every matching ask, so the bid could never win.
    BidLimitBelowFloor = 422 "bid_limit_below_floor" "Limit below the floor";
    /// The weights of the pool's jobs are as large as they may be: it promises finish times, and keeps them. Come back when a job is over.
    PoolFull = 409 "pool_full" "Pool full";
    /// Jobs of this kind would break the finish times that others were promised; the detail says which kind goes together with them.
    WouldBreakPromises = 409 "would_break_promises" "Would break promises";
    /// The wallet's available balance does not cover the hold.
    InsufficientFunds = 409 "insufficient_funds" "Insufficient funds";
    /// The pool trades in another currency than the one this is paid in.
    OtherCurrency = 409 "other_currency" "Another currency";
    /// The object's state does not allow this; `actions` on its view lists what is possible now.
    WrongState = 409 "wrong_state" "Not possible in this state";
    /// Nobody offers that any more, or never did: search again.
    NoSuchOffer = 422 "no_such_offer" "No such offer";
    /// The offer was withdrawn, or its node takes no new rentals: search again.
    OfferOver = 409 "offer_over" "Offer over";
    /// The quoted price is not kept any longer: ask for a new quote.
    QuoteExpired = 409 "quote_expired" "Quote expired";
    /// Neither free nor preemptible devices are enough: ask for fewer, take another offer, or place a bid.
    NoCapacity = 409 "no_capacity" "No capacity";
    /// The devices are what running fair-share jobs are entitled to: ask for fewer, or place a bid.
    ReservedForFairShare = 409 "reserved_for_fair_share" "Reserved for fair share";
    /// Nothing runs behind this rental that a shell could be opened in.
    NoShell = 409 "no_shell" "No shell";
    /// Something changed at the same moment; the same request can simply be sent again.
    Conflict = 409 "conflict" "Changed meanwhile";

    // The house
    /// The database does not work just now: not reachable, restarting, or its disk is full. Nothing was changed; try again.
    Unavailable = 503 "unavailable" "Temporarily unavailable";
    /// A fault of ours. Nothing was changed; quote the request id.
    Internal = 500 "internal" "Internal error";
}

/// An error on its way to the client.
#[derive(Debug, thiserror::Error)]
#[error("{}: {detail}", code.as_str())]
pub struct Problem {
    code: Code,
    detail: String,
    field: Option<String>,
    retry_after_seconds: Option<u64>,
    #[source]
    source: Option<StoreError>,
}

impl Problem {
    /// A problem with a sentence that says what to do next.
    pub fn new(code: Code, detail: impl ToString) -> Self {
        Self { code, detail: detail.to_string(), field: None, retry_after_seconds: None, source: None }
    }

    /// Names the offending field of the body or the query.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Says when to come back.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// The answer for an object that does not exist for this caller.
    #[must_use]
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("there is no such {what}"))
    }

    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }
}

/// The body of every error (`application/problem+json`).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody<'a> {
    /// Where the code is documented.
    #[serde(rename = "type")]
    #[schema(example = "/docs/errors#bid_limit_above_cap")]
    pub kind: String,
    /// The code in words.
    pub title: &'a str,
    /// The HTTP status.
    pub status: u16,
    /// The stable code.
    pub code: Code,
    /// What happened and what to do next.
    pub detail: &'a str,
    /// The offending field, if there is one.
    pub field: Option<&'a str>,
    /// Quote this when asking for help.
    pub request_id: Option<String>,
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        if let Some(source) = &self.source {
            tracing::error!(error = %source, cause = ?std::error::Error::source(source), "request failed in the store");
        }
        let body = ProblemBody {
            kind: format!("/docs/errors#{}", self.code.as_str()),
            title: self.code.title(),
            status: self.code.status(),
            code: self.code,
            detail: &self.detail,
            field: self.field.as_deref(),
            request_id: super::middleware::request_id::current(),
        };
        let mut response = HttpResponse::build(self.status_code());
        if let Some(seconds) = self.retry_after_seconds {
            response.insert_header(("Retry-After", seconds.to_string()));
        }
        response
            .content_type("application/problem+json")
            .body(serde_json::to_string(&body).expect("a problem is plain data"))
    }
}

/// Long enough not to press on a database that recovers, short enough for a person who waits.
const OUTAGE_RETRY_SECONDS: u64 = 5;

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        if error.is_conflict() {
            return Self::new(Code::Conflict, "something changed at the same moment; send the same request again");
        }
        let code = if error.is_outage() { Code::Unavailable } else { Code::Internal };
        let mut problem = Self::new(code, "the request could not be completed; nothing was changed");
        if error.is_outage() {
            problem = problem.retry_after(OUTAGE_RETRY_SECONDS);
        }
        problem.source = Some(error);
        problem
    }
}

impl From<OnceError> for Problem {
    fn from(error: OnceError) -> Self {
        match error {
            OnceError::Reused => Self::new(Code::IdempotencyKeyReused, error),
            OnceError::Store(store) => store.into(),
        }
    }
}
