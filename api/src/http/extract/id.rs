//! The id in a path. What is not an id of the expected kind names nothing, so it is a 404 like any unknown object.

use std::future::{Ready, ready};
use std::str::FromStr;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use scheduler::world::ids::{
    AlertId, ApiKeyId, AskId, BidId, JobId, NodeId, OrganisationId, PoolId, ProfileId, ProviderId, QuoteId, RentalId,
    RoundId, SshKeyId, UserId,
};

use crate::http::error::Problem;

/// The `{id}` of the route's path.
#[derive(Debug, Clone, Copy)]
pub struct Id<T>(pub T);

/// An id that stands in paths.
pub trait PathId: FromStr {
    /// What it names, in words.
    const NOUN: &'static str;

    /// The id in the path's segment of that name.
    fn in_path(request: &HttpRequest, segment: &str) -> Result<Self, Problem> {
        let text = request.match_info().get(segment);
        text.and_then(|text| text.parse().ok()).ok_or_else(|| Problem::not_found(Self::NOUN))
    }
}

macro_rules! path_ids {
    ($($id:ty = $noun:literal;)+) => {
        $(impl PathId for $id { const NOUN: &'static str = $noun; })+
    };
}

path_ids! {
    AlertId = "alert";
    ApiKeyId = "API key";
    AskId = "ask";
    BidId = "bid";
    JobId = "job";
    NodeId = "node";
    OrganisationId = "organisation";
    PoolId = "pool";
    ProfileId = "profile";
    ProviderId = "provider";
    QuoteId = "quote";
    RentalId = "rental";
    RoundId = "round";
    SshKeyId = "SSH key";
    UserId = "member";
}

impl<T: PathId> FromRequest for Id<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        ready(T::in_path(request, "id").map(Self))
    }
}
