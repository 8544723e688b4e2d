//! PostgreSQL without an administrator: found or fetched, initialised, started, supervised and stopped by souk.
//!
//! Lives here: everything between "there is a data folder" and "here is a URL". Everything is synchronous, because the
//! kernel ties the server's life to the *thread* that spawned it: call [`Embedded::start`] from `main`, before there is
//! a runtime. A signal that ends this process on the way, or SIGKILL at any time, ends the server in order too.
//! Must not live here: SQL, migrations, pools of connections, and anything that talks to a server souk did not start.
//!
//! Where things lie, under the folder of [`Options`]:
//!
//! ```text
//! owner.lock      flock of the process that runs the server; its text says who
//! data/           the cluster (data.tmp/ while it is being made)
//! run/            the socket, when its path is short enough
//! pgsql/          a private copy of PostgreSQL, when the machine has none
//! postgres.log    what the server says
//! ```

mod access;
mod account;
mod binaries;
mod cluster;
mod error;
mod layout;
mod liveness;
mod lock;
mod options;
mod postmaster;
mod remains;
mod server;
mod spawn;
mod wait;
mod wheel;

pub use binaries::Binaries;
pub use error::EmbeddedError;
pub use options::{Durability, Lifetime, Options};

use access::Access;
use account::Account;
use layout::Layout;
use lock::OwnerLock;
use server::Server;

/// A PostgreSQL that is ready to be connected to.
#[derive(Debug)]
pub struct Embedded {
    url: String,
    layout: Layout,
    notices: Vec<String>,
    /// `None` when somebody else runs the server, or when it is to outlive us.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    server: Server,
    /// Held until the server has stopped; released by dropping.
    _lock: OwnerLock,
}

impl Embedded {
    /// Starts the server on the folder of `options`, or attaches to the one that already runs there.
    ///
    /// A folder that a live process owns is attached to; remains of a killed one are cleared first.
    pub fn start(options: &Options) -> Result<Self, EmbeddedError> {
        let account = Account::for_server(&options.data_dir)?;
        let (layout, notices) = Layout::prepare(options, &account)?;
        let account = account.of_existing(&layout.data)?;
        match Access::to(&layout)? {
            Access::Guest { socket_dir } => Ok(Self { url: layout::url(&socket_dir), layout, notices, running: None }),
            Access::Owner { mut lock } => {
                lock.record(options.lifetime)?;
                remains::clear(&layout)?;
                Self::launch(options, &account, layout, notices, lock)
            }
        }
    }

    /// The connection string of the server that runs on the folder now, if one does. Starts nothing and waits for nothing.
    pub fn running(options: &Options) -> Result<Option<String>, EmbeddedError> {
        let account = Account::for_server(&options.data_dir)?;
        let layout = Layout::existing(options, &account)?;
        Ok(layout.and_then(|layout| access::ready_socket(&layout)).map(|socket_dir| layout::url(&socket_dir)))
    }

    fn launch(
        options: &Options,
        account: &Account,
        layout: Layout,
        mut notices: Vec<String>,
        lock: OwnerLock,
    ) -> Result<Self, EmbeddedError> {
        let wanted = cluster::major_version(&layout.data)?;
        let (binaries, how) = Binaries::find(options, &layout, account, wanted)?;
        notices.extend(how);
        cluster::ensure(&layout, &binaries, account, options.durability)?;
        let socket_dir = layout.socket_dir(account)?;
        let server = Server::start(&layout, &socket_dir, &binaries, account, options)?;
        let running = match options.lifetime {
            Lifetime::WithParent => Some(Running { server, _lock: lock }),
            Lifetime::Detached => None,
        };
        Ok(Self { url: layout::url(&socket_dir), layout, notices, running })
    }

    /// The connection string, for sqlx and for psql alike.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The folder in use: the one asked for, or its stand-in when the server's account cannot reach that.
    #[must_use]
    pub fn folder(&self) -> &std::path::Path {
        &self.layout.root
    }

    /// Whether this process runs the server, rather than being a guest of another one.
    #[must_use]
    pub const fn is_owner(&self) -> bool {
        self.running.is_some()
    }

    /// The server's process, when this process runs it.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.server.pid())
    }

    /// How the server ended, if this process runs it and it has ended although nobody stopped it.
    pub fn ended(&mut self) -> Option<String> {
        self.running.as_mut().and_then(|running| running.server.ended())
    }

    /// What a person should know about how the server came up: sentences for the log, usually none.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Stops the server cleanly, if this process runs it. Dropping does the same but cannot say that it failed.
    pub fn stop(mut self) -> Result<(), EmbeddedError> {
        match self.running.take() {
            Some(mut running) => running.server.stop(),
            None => Ok(()),
        }
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take()
            && let Err(error) = running.server.stop()
        {
            tracing::warn!(%error, "the embedded PostgreSQL did not stop cleanly");
        }
    }
}
