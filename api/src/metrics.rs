//! What the server counts, in the form that Prometheus reads.

use std::time::Duration;

use prometheus::{
    Encoder as _, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
};

use scheduler::plan::exchanged::Outcome;

use crate::State;

/// The counters of this process.
#[derive(Debug, Clone)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    request_seconds: HistogramVec,
    limits_reached: IntCounterVec,
    /// Readers of event streams that are connected now.
    pub event_readers: IntGauge,
    /// Events numbered and handed to readers.
    pub events_relayed: IntGauge,
    database_connections: IntGaugeVec,
    loop_steps: IntGaugeVec,
    loop_last_run: IntGaugeVec,
    invariants: IntGaugeVec,
    solver_fallbacks: IntGauge,
    exchanges: IntCounterVec,
}

/// From half a millisecond to ten seconds.
const SECONDS: [f64; 14] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

impl Default for Metrics {
    fn default() -> Self {
        let registry = Registry::new();
        let gauge = |name: &str, help: &str, labels: &[&str]| {
            registered(&registry, IntGaugeVec::new(Opts::new(name, help), labels))
        };
        let counter = |name: &str, help: &str, labels: &[&str]| {
            registered(&registry, IntCounterVec::new(Opts::new(name, help), labels))
        };
        let seconds = HistogramOpts::new("souk_http_request_seconds", "Time until the response's head, by route")
            .buckets(SECONDS.to_vec());
        Self {
            requests: counter(
                "souk_http_requests_total",
                "Requests, by route and status",
                &["method", "route", "status"],
            ),
            request_seconds: registered(&registry, HistogramVec::new(seconds, &["method", "route"])),
            limits_reached: counter("souk_limits_reached_total", "Times that a named bound was reached", &["limit"]),
            event_readers: registered(&registry, IntGauge::new("souk_event_readers", "Readers of event streams")),
            events_relayed: registered(
                &registry,
                IntGauge::new("souk_events_relayed", "Events numbered by this server"),
            ),
            database_connections: gauge("souk_database_connections", "Connections to PostgreSQL, by use", &["use"]),
            loop_steps: gauge("souk_loop_steps", "Steps of loops since the start, by result", &["loop", "result"]),
            loop_last_run: gauge("souk_loop_last_run_timestamp_seconds", "When a loop last ended a step", &["loop"]),
            solver_fallbacks: registered(
                &registry,
                IntGauge::new("souk_solver_fallbacks", "Programmes of share policies that the fallback had to solve"),
            ),
            exchanges: counter(
                "souk_exchanges_total",
                "Rounds with an exchange, by what could be proved of it: all, all but the floors, or nothing",
                &["outcome"],
            ),
            invariants: gauge("souk_invariant_broken", "Rows that break an invariant of the money", &["name"]),
            registry,
        }
    }
}

impl Metrics {
    /// Counts an answered request.
    pub fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        self.requests.with_label_values(&[method, route, &status.to_string()]).inc();
        self.request_seconds.with_label_values(&[method, route]).observe(took.as_secs_f64());
    }

    /// Counts that a bound of `config::limits` was reached.
    pub fn limit_reached(&self, limit: &str) {
        self.limits_reached.with_label_values(&[limit]).inc();
    }

    /// Counts a round whose exchange was proved so far.
    pub fn exchange(&self, outcome: Outcome) {
        self.exchanges.with_label_values(&[outcome.as_str()]).inc();
    }

    /// Everything that is counted, as text.
    pub fn render(&self, state: &State) -> String {
        let idle = i64::try_from(state.db.num_idle()).unwrap_or(i64::MAX);
        self.database_connections.with_label_values(&["idle"]).set(idle);
        self.database_connections.with_label_values(&["busy"]).set(i64::from(state.db.size()) - idle);
        for (name, report) in state.board.reports() {
            let name = name.as_str();
            let results =
                [("idle", report.steps - report.worked), ("worked", report.worked), ("failed", report.failures)];
            for (result, steps) in results {
                self.loop_steps.with_label_values(&[name, result]).set(i64::try_from(steps).unwrap_or(i64::MAX));
            }
            if let Some(last_run_at) = report.last_run_at {
                self.loop_last_run.with_label_values(&[name]).set(last_run_at.unix_timestamp());
            }
        }
        for finding in state.findings.last() {
            self.invariants.with_label_values(&[finding.name]).set(finding.broken.count);
        }
        self.solver_fallbacks.set(i64::try_from(scheduler::solve::fallbacks()).unwrap_or(i64::MAX));
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text).expect("counters can be written");
        String::from_utf8(text).expect("names and labels are UTF-8")
    }
}

fn registered<C: prometheus::core::Collector + Clone + 'static>(
    registry: &Registry,
    collector: prometheus::Result<C>,
) -> C {
    let collector = collector.expect("names are valid");
    registry.register(Box::new(collector.clone())).expect("names are unique");
    collector
}
