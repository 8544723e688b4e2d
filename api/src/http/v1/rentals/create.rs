//! `POST /v1/rentals`

use actix_web::post;
use actix_web::web::Data;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{RentalView, render};
use crate::app::Command;
use crate::app::claim_devices::ClaimError;
use crate::app::create_rental::{CreateRentalError, Wanted, create_rental};
use crate::app::once::{Fingerprint, Reply};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, IdempotencyKey, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Rent;
use crate::http::{State, reply};
use crate::loops::LoopName;
use crate::rental::NotAdmitted;

/// An offer to accept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateRental {
    /// The offer.
    #[schema(example = "ask_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    ask_id: String,
    /// How many devices, all or nothing.
    #[schema(minimum = 1, maximum = 64, example = 2)]
    devices: i32,
    /// A quote whose price is to be honoured.
    #[schema(example = "quo_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    quote_id: Option<String>,
    /// What to run. The rental ends when it finishes. Without a command it runs until it is ended, for shells.
    #[schema(max_length = 8192, example = "python train.py")]
    command: Option<String>,
    /// End it after this much use.
    #[schema(minimum = 60, example = 3600)]
    max_duration_seconds: Option<i64>,
    /// End it when it has cost this much.
    #[schema(example = "20.00")]
    max_spend: Option<String>,
}

/// The most devices of one rental.
const DEVICES_MOST: i32 = 64;
/// Bounds on a tenant's own bound on the duration: a minute and ten years.
const DURATION_SECONDS: std::ops::RangeInclusive<i64> = 60..=315_360_000;

impl CreateRental {
    fn parse(&self) -> Result<Wanted, Problem> {
        let refused = |detail: String, field: &str| Problem::new(Code::InvalidValue, detail).field(field);
        let ask = self.ask_id.parse().map_err(|error| refused(format!("{error}"), "ask_id"))?;
        let quote = self.quote_id.as_deref().map(str::parse).transpose();
        let quote = quote.map_err(|error| refused(format!("{error}"), "quote_id"))?;
        if !(1..=DEVICES_MOST).contains(&self.devices) {
            return Err(refused(format!("devices is 1 to {DEVICES_MOST}"), "devices"));
        }
        if self.max_duration_seconds.is_some_and(|seconds| !DURATION_SECONDS.contains(&seconds)) {
            return Err(refused("max_duration_seconds is 60 to 315360000".to_owned(), "max_duration_seconds"));
        }
        let max_spend: Option<scheduler::world::money::Micros> = self
            .max_spend
            .as_deref()
            .map(str::parse)
            .transpose()
            .map_err(|error| refused(format!("{error}"), "max_spend"))?;
        if max_spend.is_some_and(|most| most.get() <= 0) {
            return Err(refused("max_spend is greater than zero".to_owned(), "max_spend"));
        }
        let command = self.command.as_deref().map(|text| {
            Command::parse(text)
                .ok_or_else(|| refused("a command has 1 to 8192 bytes and no NUL".to_owned(), "command"))
        });
        Ok(Wanted {
            ask,
            devices: self.devices,
            quote,
            command: command.transpose()?,
            max_duration_seconds: self.max_duration_seconds,
            max_spend,
        })
    }
}

/// Rent at a posted price
///
/// Takes the devices at once and holds the first hour. Where the devices must first be taken back from bids or jobs, the
/// rental is `pending` until their notice is over. Billing begins when the rental is `running`.
#[utoipa::path(tag = "demand", operation_id = "create_rental", params(IdempotencyKey), request_body = CreateRental,
    responses((status = 201, body = RentalView), Refusals))]
#[post("/v1/rentals")]
pub async fn create(
    allowed: Allowed<Rent>,
    key: IdempotencyKey,
    body: Json<CreateRental>,
    state: Data<State>,
) -> Result<Reply, Problem> {
    let wanted = body.0.parse()?;
    let fingerprint = Fingerprint::of("create_rental", &wanted);
    let reply = reply::once(&state, &allowed.caller, &key.0, &fingerprint, async |ctx| {
        let rental = create_rental(ctx, &wanted).await?;
        Ok(Reply::new(201, &render(&mut ctx.tx, rental).await?))
    })
    .await?;
    state.wake.signal(LoopName::Provision);
    state.wake.signal(LoopName::Round);
    Ok(reply)
}

impl From<CreateRentalError> for Problem {
    fn from(error: CreateRentalError) -> Self {
        match error {
            CreateRentalError::NoSuchAsk => Self::new(Code::NoSuchOffer, error).field("ask_id"),
            CreateRentalError::NoSuchQuote | CreateRentalError::QuoteMismatch => {
                Self::new(Code::InvalidValue, error).field("quote_id")
            }
            CreateRentalError::QuoteExpired => Self::new(Code::QuoteExpired, error).field("quote_id"),
            CreateRentalError::Claim(error) => error.into(),
            CreateRentalError::InsufficientFunds(_) => Self::new(Code::InsufficientFunds, error),
            CreateRentalError::TooLarge(_) => Self::new(Code::InvalidValue, error).field("devices"),
            CreateRentalError::Store(error) => error.into(),
        }
    }
}

impl From<ClaimError> for Problem {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::OfferOver => Self::new(Code::OfferOver, error),
            ClaimError::BelowMinChunk(_) => Self::new(Code::InvalidValue, error).field("devices"),
            ClaimError::NotAdmitted(NotAdmitted::NoCapacity { .. }) => Self::new(Code::NoCapacity, error),
            ClaimError::NotAdmitted(NotAdmitted::ReservedForFairShare { .. }) => {
                Self::new(Code::ReservedForFairShare, error)
            }
            ClaimError::Store(error) => error.into(),
        }
    }
}
