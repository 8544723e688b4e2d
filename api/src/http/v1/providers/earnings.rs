//! `GET /v1/providers/{id}/earnings`

use actix_web::get;
use actix_web::web::{self, Data};
use scheduler::world::ids::ProviderId;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};

use crate::config::limits;
use crate::http::error::Problem;
use crate::http::extract::{Allowed, Id, Query};
use crate::http::openapi::Refusals;
use crate::http::permission::ReadEarnings;
use crate::http::{State, field, wire};
use crate::store::earnings::{self, Earned, Group};
use crate::store::{StoreError, providers};

/// Of which time.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Span {
    /// After this instant; 30 days before `to` if absent.
    #[param(example = "2026-01-01T00:00:00Z")]
    from: Option<String>,
    /// Until this instant; now if absent. At most 366 days after `from`.
    #[param(example = "2026-01-31T00:00:00Z")]
    to: Option<String>,
}

/// What a provider earned. An interval of use counts as a whole where it ended.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Earnings)]
pub struct EarningsView {
    /// Of all amounts.
    #[schema(example = "USD")]
    currency: String,
    /// Earned, and not to be drawn yet.
    #[schema(example = "120.00")]
    pending: String,
    /// Earned, and to be drawn.
    #[schema(example = "0.00")]
    available: String,
    /// After this instant.
    #[serde(with = "wire::timestamp")]
    from: OffsetDateTime,
    /// Until this instant.
    #[serde(with = "wire::timestamp")]
    to: OffsetDateTime,
    /// What tenants paid in this time.
    #[schema(example = "20.00")]
    gross: String,
    /// The marketplace's part of it.
    #[schema(example = "1.00")]
    fee: String,
    /// The provider's part of it.
    #[schema(example = "19.00")]
    net: String,
    /// Devices times hours, to the millionth.
    #[schema(example = "2.333333")]
    device_hours: String,
    /// By node; nodes that earned nothing are not listed.
    nodes: Vec<NodeEarningsView>,
    /// By day, UTC; days on which nothing was earned are not listed.
    days: Vec<DayEarningsView>,
}

/// What one node earned.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NodeEarnings)]
pub struct NodeEarningsView {
    /// Which node.
    #[schema(example = "node_0193d5c2a1b07c3e8f4d2a6b9c0e1f23")]
    node_id: String,
    /// Its name.
    #[schema(example = "rack-3-node-7")]
    name: String,
    /// What tenants paid.
    #[schema(example = "20.00")]
    gross: String,
    /// The provider's part of it.
    #[schema(example = "19.00")]
    net: String,
    /// Devices times hours, to the millionth.
    #[schema(example = "2.333333")]
    device_hours: String,
}

/// What was earned on one day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DayEarnings)]
pub struct DayEarningsView {
    /// The day, UTC.
    #[schema(example = "2026-01-31")]
    date: String,
    /// The provider's part.
    #[schema(example = "19.00")]
    net: String,
}

/// See what a provider earned
#[utoipa::path(tag = "supply", operation_id = "get_earnings", params(("id" = String, Path, description = "The provider"), Span), responses((status = 200, body = EarningsView), Refusals))]
#[get("/v1/providers/{id}/earnings")]
pub async fn get_earnings(
    allowed: Allowed<ReadEarnings>,
    id: Id<ProviderId>,
    span: Query<Span>,
    state: Data<State>,
) -> Result<web::Json<EarningsView>, Problem> {
    let (from, to) = span.0.parse(state.clock.now())?;
    let mut tx = state.begin_snapshot().await?;
    let provider = providers::find(&mut tx, allowed.caller.organisation, id.0).await?;
    let provider = provider.ok_or_else(|| Problem::not_found("provider"))?;
    let sums = earnings::sums(&mut tx, provider.id, from, to).await?;
    let (pending, available) = earnings::balances(&mut tx, provider.id).await?;
    let mut view = EarningsView {
        currency: provider.currency,
        pending: pending.to_string(),
        available: available.to_string(),
        from,
        to,
        gross: String::new(),
        fee: String::new(),
        net: String::new(),
        device_hours: String::new(),
        nodes: Vec::new(),
        days: Vec::new(),
    };
    for sum in sums {
        view.add(sum)?;
    }
    Ok(web::Json(view))
}

impl Span {
    fn parse(self, now: OffsetDateTime) -> Result<(OffsetDateTime, OffsetDateTime), Problem> {
        let to = self.to.map_or(Ok(now), |text| field::instant("to", &text))?;
        let from = match self.from {
            Some(text) => field::instant("from", &text)?,
            None => to.checked_sub(default_span()).ok_or_else(|| field::invalid("to", "there was nothing so early"))?,
        };
        if from >= to {
            return Err(field::invalid("from", "from lies before to"));
        }
        if to - from > limits::EARNINGS_SPAN {
            return Err(field::invalid("from", "from lies at most 366 days before to"));
        }
        Ok((from, to))
    }
}

fn default_span() -> time::Duration {
    time::Duration::try_from(limits::EARNINGS).unwrap_or(time::Duration::ZERO)
}

impl EarningsView {
    fn add(&mut self, sum: Earned) -> Result<(), StoreError> {
        let (net, device_hours) = (sum.net()?.to_string(), sum.device_hours().to_string());
        match sum.group {
            Group::All => {
                self.gross = sum.gross.to_string();
                self.fee = sum.fee.to_string();
                self.net = net;
                self.device_hours = device_hours;
            }
            Group::Node { id, name } => {
                let (node_id, gross) = (id.to_string(), sum.gross.to_string());
                self.nodes.push(NodeEarningsView { node_id, name, gross, net, device_hours });
            }
            Group::Day(day) => self.days.push(DayEarningsView { date: day.to_string(), net }),
        }
        Ok(())
    }
}
