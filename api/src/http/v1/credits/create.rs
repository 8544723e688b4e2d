//! `POST /v1/credits`

use actix_web::post;
use actix_web::web::Data;
use serde::Deserialize;
use utoipa::ToSchema;

use super::TransferView;
use crate::app::give_credit::{Credit, CreditError, GiveCreditError, Given, give_credit};
use crate::app::once::{Fingerprint, Reply};
use crate::http::error::{Code, Problem};
use crate::http::extract::{Allowed, IdempotencyKey, Json};
use crate::http::openapi::Refusals;
use crate::http::permission::Operate;
use crate::http::{State, reply};

/// Money to be given.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveCredit {
    /// Who gets it.
    #[schema(example = "org_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    organisation_id: String,
    /// How much, in the organisation's currency.
    #[schema(example = "100.00")]
    amount: String,
    /// Why. It stays in the ledger.
    #[schema(min_length = 1, max_length = 500, example = "launch credit")]
    reason: String,
}

impl GiveCredit {
    fn parse(&self) -> Result<Credit, Problem> {
        let organisation = self.organisation_id.parse().map_err(|error| refused(error, "organisation_id"))?;
        let amount = self.amount.parse().map_err(|error| refused(error, "amount"))?;
        Ok(Credit::new(organisation, amount, &self.reason)?)
    }
}

/// Give an organisation money
///
/// The money comes out of the operators' account and is available at once. The organisation sees the reason.
#[utoipa::path(tag = "money", operation_id = "give_credit", params(IdempotencyKey), request_body = GiveCredit,
    responses((status = 201, body = TransferView), Refusals))]
#[post("/v1/credits")]
pub async fn create(
    allowed: Allowed<Operate>,
    key: IdempotencyKey,
    body: Json<GiveCredit>,
    state: Data<State>,
) -> Result<Reply, Problem> {
    let credit = body.0.parse()?;
    let fingerprint = Fingerprint::of("give_credit", &credit);
    reply::once(&state, &allowed.caller, &key.0, &fingerprint, async |ctx| {
        let Given { id, transfer, currency, amount } = give_credit(ctx, &credit).await?;
        let view = TransferView {
            id: id.to_string(),
            kind: transfer.kind().as_str(),
            currency,
            amount: amount.to_string(),
            subject: transfer.subject().to_owned(),
            reason: transfer.reason().to_owned(),
            created_at: ctx.now,
        };
        Ok(Reply::new(201, &view))
    })
    .await
}

fn refused(detail: impl ToString, field: &str) -> Problem {
    Problem::new(Code::InvalidValue, detail).field(field)
}

impl From<CreditError> for Problem {
    fn from(error: CreditError) -> Self {
        let field = match error {
            CreditError::Amount => "amount",
            CreditError::Reason => "reason",
        };
        refused(error, field)
    }
}

impl From<GiveCreditError> for Problem {
    fn from(error: GiveCreditError) -> Self {
        match error {
            GiveCreditError::NoSuchOrganisation => Self::new(Code::NotFound, error).field("organisation_id"),
            GiveCreditError::Store(store) => store.into(),
        }
    }
}
