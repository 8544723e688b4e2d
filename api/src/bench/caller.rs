//! A caller who speaks plain HTTP over a connection of its own. Callers share the processors with the server that is
//! measured: what they cost themselves is to be little, as if they sat on machines of their own.

use anyhow::{Context as _, ensure};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderName, HeaderValue};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::client::Client;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A connection to the server, and whose name is on it.
pub(super) struct Caller {
    host: HeaderValue,
    authorization: HeaderValue,
    connection: SendRequest<Full<Bytes>>,
}

impl Caller {
    /// Connects as the tenant whose client this is.
    pub(super) async fn connect(tenant: &Client) -> anyhow::Result<Self> {
        let host = tenant.server().strip_prefix("http://").context("the server is reached without encryption")?;
        let token = tenant.token().context("the tenant is logged in")?;
        let stream = TcpStream::connect(host).await?;
        stream.set_nodelay(true)?;
        let (connection, pump) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(pump);
        let mut authorization = HeaderValue::try_from(format!("Bearer {}", token.reveal()))?;
        authorization.set_sensitive(true);
        Ok(Self { host: host.parse()?, authorization, connection })
    }

    /// Posts once under a key. Anything but 201 is an error with what the server said.
    pub(super) async fn create(&mut self, path: &str, key: &str, body: String) -> anyhow::Result<()> {
        let request = Request::post(path)
            .header(HOST, &self.host)
            .header(AUTHORIZATION, &self.authorization)
            .header(CONTENT_TYPE, "application/json")
            .header(IDEMPOTENCY_KEY, key)
            .body(Full::new(Bytes::from(body)))?;
        self.connection.ready().await?;
        let response = self.connection.send_request(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        ensure!(status == StatusCode::CREATED, "{status}: {}", String::from_utf8_lossy(&body));
        Ok(())
    }
}
