//! Builds the HTTP server: binds the listener itself, so that port 0 works and its address is known before it runs.

use std::io::ErrorKind;
use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{Data, PayloadConfig, to};
use actix_web::{App, HttpServer};
use utoipa::OpenApi as _;
use utoipa_actix_web::AppExt as _;

use super::middleware::{authentication, observe, rate_limit, security_headers};
use super::openapi::Description;
use super::unmatched;
use crate::State;
use crate::config::limits;

/// A bound server, ready to run.
pub struct Application {
    server: Server,
    port: u16,
}

impl Application {
    /// Binds the address and prepares the server.
    pub fn build(state: State) -> std::io::Result<Self> {
        let listener = listen(&state.config.address, state.config.port)?;
        let port = listener.local_addr()?.port();
        let server = HttpServer::new(move || {
            App::new()
                .app_data(Data::new(state.clone()))
                .app_data(PayloadConfig::new(limits::BODY_BYTES))
                .into_utoipa_app()
                .openapi(Description::openapi())
                .configure(super::routes)
                .into_app()
                .default_service(to(unmatched::answer))
                .wrap(from_fn(rate_limit::limit))
                .wrap(from_fn(authentication::recognise))
                .wrap(Compress::default())
                .wrap(from_fn(security_headers::add))
                .wrap(from_fn(observe::observe))
        })
        .disable_signals()
        .shutdown_timeout(5)
        .listen(listener)?
        .run();
        Ok(Self { server, port })
    }

    /// The port that was bound.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The running server; await it, or stop it by its handle.
    pub fn run(self) -> Server {
        self.server
    }
}

/// Binds the address; says what to do when somebody has it.
fn listen(address: &str, port: u16) -> std::io::Result<TcpListener> {
    TcpListener::bind((address, port)).map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::AddrInUse => ": another program listens there, perhaps another souk; stop it or choose --port",
            ErrorKind::PermissionDenied => ": ports below 1024 are not for everybody; choose --port",
            _ => "",
        };
        std::io::Error::new(error.kind(), format!("cannot listen on {address}:{port} ({error}){advice}"))
    })
}
