//! Reading a search. `filter` may be repeated, so the query is read pair by pair.

use std::str::FromStr as _;

use actix_web::FromRequest;
use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::web::Query as Pairs;
use scheduler::world::ids::PoolId;
use scheduler::world::request::GpuRequest;
use std::future::{Ready, ready};

use crate::config::limits;
use crate::http::error::{Code, Problem};
use crate::http::field;
use crate::offers::{Filter, Order, Position, filters_of};

/// A search, parsed.
#[derive(Debug)]
pub struct OfferQuery {
    /// In which pool; everywhere if none is named.
    pub pool: Option<PoolId>,
    /// What offers have to meet.
    pub filters: Vec<Filter>,
    /// In which order.
    pub order: Order,
    /// Where the last page ended.
    pub position: Option<Position>,
    /// Items per page.
    pub limit: usize,
}

impl OfferQuery {
    fn parse(pairs: Vec<(String, String)>) -> Result<Self, Problem> {
        let mut once = Once::default();
        let mut filters = Vec::new();
        for (name, value) in pairs {
            match name.as_str() {
                "filter" if filters.len() == limits::FILTERS_MAX => {
                    return Err(refused(format!("a search has at most {} filters", limits::FILTERS_MAX)));
                }
                "filter" => filters.push(Filter::parse(&value).map_err(refused)?),
                _ => once.put(&name, value)?,
            }
        }
        if let Some(gpu) = once.gpu {
            let request = GpuRequest::from_str(&gpu)
                .map_err(|error| Problem::new(Code::GpuRequestInvalid, error).field("gpu"))?;
            filters.extend(filters_of(&request).map_err(|error| field::invalid("gpu", error))?);
        }
        let order = match once.order {
            Some(text) => text.parse().map_err(|error| field::invalid("order", error))?,
            None => Order::default(),
        };
        let position = once.cursor.map(|text| {
            let position = Position::read(order, &text);
            position.ok_or_else(|| field::invalid("cursor", "cursor is not one that this API gave out for this order"))
        });
        let limit = once.limit.map_or(Ok(limits::PAGE_ITEMS), |text| {
            let limit = text.parse().ok().filter(|limit| (1..=limits::PAGE_ITEMS_MAX).contains(limit));
            limit.ok_or_else(|| field::invalid("limit", format!("limit is 1 to {}", limits::PAGE_ITEMS_MAX)))
        })?;
        Ok(Self {
            pool: once.pool.map(|text| field::id("pool", &text)).transpose()?,
            filters,
            order,
            position: position.transpose()?,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
        })
    }
}

/// The parameters that appear once.
#[derive(Default)]
struct Once {
    gpu: Option<String>,
    pool: Option<String>,
    order: Option<String>,
    cursor: Option<String>,
    limit: Option<String>,
}

impl Once {
    fn put(&mut self, name: &str, value: String) -> Result<(), Problem> {
        let slot = match name {
            "gpu" => &mut self.gpu,
            "pool" => &mut self.pool,
            "order" => &mut self.order,
            "cursor" => &mut self.cursor,
            "limit" => &mut self.limit,
            _ => {
                let detail = "there is no such parameter; there are gpu, pool, filter, order, limit and cursor";
                return Err(Problem::new(Code::UnknownField, detail).field(name));
            }
        };
        match slot.replace(value) {
            None => Ok(()),
            Some(_) => Err(field::invalid(name, "this parameter was given twice; only filter can be repeated")),
        }
    }
}

fn refused(detail: impl ToString) -> Problem {
    Problem::new(Code::FilterInvalid, detail).field("filter")
}

impl FromRequest for OfferQuery {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let pairs = Pairs::<Vec<(String, String)>>::from_query(request.query_string());
        ready(match pairs {
            Ok(pairs) => Self::parse(pairs.into_inner()),
            Err(_) => Err(Problem::new(Code::InvalidValue, "the query string cannot be read")),
        })
    }
}
