//! Counts requests per caller, or per address when nobody says who it is.

use std::net::IpAddr;

use actix_web::Error;
use actix_web::HttpMessage as _;
use actix_web::ResponseError as _;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;

use super::authentication::Sender;
use crate::State;
use crate::app::Via;
use crate::http::error::{Code, Problem};
use crate::limiter::{Rate, Verdict};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Answers 429 to whoever calls too often. Only the API is counted, not the page and not the probes.
pub async fn limit(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if !request.path().starts_with("/v1/") {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let state = Data::clone(request.app_data::<Data<State>>().expect("every server has its state"));
    let (rate, key) = counted_as(&request, state.config.behind_proxy);
    let verdict = state.limiter.count(rate, &key).await;
    let mut response = match refuse(&state, verdict) {
        Err(problem) => request.into_response(problem.error_response()),
        Ok(()) => next.call(request).await?.map_into_boxed_body(),
    };
    tell(response.headers_mut(), verdict);
    Ok(response)
}

/// Refuses a call that was one too many.
pub fn refuse(state: &State, verdict: Verdict) -> Result<(), Problem> {
    let Some(seconds) = verdict.retry_after_seconds else { return Ok(()) };
    state.metrics.limit_reached(verdict.rate.as_str());
    let detail = format!("at most {} of these a minute; try again in {seconds} seconds", verdict.quota);
    Err(Problem::new(Code::RateLimited, detail).retry_after(seconds))
}

fn counted_as(request: &ServiceRequest, behind_proxy: bool) -> (Rate, String) {
    let address = || address(request.headers(), request.peer_addr().map(|peer| peer.ip()), behind_proxy);
    match request.extensions().get::<Sender>() {
        Some(Sender::Known(caller)) => match &caller.via {
            Via::Token => (Rate::Caller, caller.user.to_string()),
            Via::ApiKey { id, .. } => (Rate::Caller, id.to_string()),
        },
        _ if request.path().starts_with("/v1/agent/") => (Rate::Agents, address()),
        _ => (Rate::Anonymous, address()),
    }
}

/// Where a request comes from. Behind a proxy that is what the proxy itself added, never what the client claims.
pub fn address(headers: &HeaderMap, peer: Option<IpAddr>, behind_proxy: bool) -> String {
    let forwarded =
        || headers.get_all("x-forwarded-for").last()?.to_str().ok()?.rsplit(',').next()?.trim().parse().ok();
    let address = if behind_proxy { forwarded().or(peer) } else { peer };
    match address {
        Some(IpAddr::V4(four)) => four.to_string(),
        // Whoever has one IPv6 address has 2^64 of them.
        Some(IpAddr::V6(six)) => match six.to_ipv4_mapped() {
            Some(four) => four.to_string(),
            None => {
                let [a, b, c, d, ..] = six.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        },
        None => "unknown".to_owned(),
    }
}

fn tell(headers: &mut HeaderMap, verdict: Verdict) {
    let name = verdict.rate.as_str();
    let policy = format!("\"{name}\";q={};w=60", verdict.quota);
    let limit = format!("\"{name}\";r={};t={}", verdict.remaining, verdict.reset_seconds);
    for (header, value) in [(POLICY, policy), (LIMIT, limit)] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(header, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_cannot_choose_its_address() {
        let mut headers = HeaderMap::new();
        headers.append(HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static("1.1.1.1, 2.2.2.2"));
        headers.append(HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static("3.3.3.3, 4.4.4.4"));
        let peer: Option<IpAddr> = "5.5.5.5".parse().ok();
        assert_eq!(address(&headers, peer, false), "5.5.5.5");
        assert_eq!(address(&headers, peer, true), "4.4.4.4");
        assert_eq!(address(&HeaderMap::new(), peer, true), "5.5.5.5");
    }

    #[test]
    fn one_ipv6_network_is_one_address() {
        let of = |text: &str| address(&HeaderMap::new(), text.parse().ok(), false);
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:9.9.9.9"), "9.9.9.9");
    }
}
