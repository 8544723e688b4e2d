//! Shells: a terminal in a rental, at the end of a WebSocket that the agent dials. Whichever side closes first closes
//! the other, and a shell ends with its rental.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::Path;
use std::process::Child;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::pty::{OpenptyResult, Winsize, openpty};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Gid, Pid, Uid, fchown, ttyname};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::unix::pipe;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::http::header::AUTHORIZATION;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::connection::{Connection, ConnectionError};
use crate::protocol::{ShellControl, ShellOrder, Size, Variable};
use crate::runtime::{Launch, Runtime, Terminal};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Bytes read from a terminal at once, and sent as one frame.
const CHUNK: usize = 16 << 10;
/// Between two looks whether the rental is still there.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Terminals have this size until somebody says another.
const FIRST_SIZE: Size = Size { columns: 80, rows: 24 };

/// The shells of this node.
#[derive(Debug, Default)]
pub struct Shells {
    open: Mutex<BTreeSet<String>>,
}

/// Why a shell ended before anybody closed it.
#[derive(Debug, thiserror::Error)]
enum ShellError {
    #[error("the rental cannot be used now")]
    NotUsable,
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    #[error(transparent)]
    Socket(#[from] tungstenite::Error),
    #[error(transparent)]
    Terminal(#[from] io::Error),
}

impl Shells {
    /// Opens a shell, once: an order is repeated until the server has heard of it.
    pub fn open(self: &Arc<Self>, order: ShellOrder, connection: &Arc<Connection>, runtime: &Arc<Runtime>) {
        if !self.ids().insert(order.id.clone()) {
            return;
        }
        let (shells, connection, runtime) = (Arc::clone(self), Arc::clone(connection), Arc::clone(runtime));
        tokio::spawn(async move {
            if let Err(error) = serve(&order, &connection, &runtime).await {
                tracing::warn!(shell = order.id, rental = order.rental_id, %error, "a shell ended");
            }
            // Long enough for the server to have forgotten the order.
            tokio::time::sleep(Duration::from_secs(60)).await;
            shells.ids().remove(&order.id);
        });
    }

    fn ids(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn serve(order: &ShellOrder, connection: &Connection, runtime: &Runtime) -> Result<(), ShellError> {
    let launch = runtime.enter(&order.rental_id).ok_or(ShellError::NotUsable)?;
    let (url, token) = connection.shell(&order.id).await?;
    let mut request = url.into_client_request()?;
    let bearer = HeaderValue::from_str(&format!("Bearer {token}")).map_err(io::Error::other)?;
    request.headers_mut().insert(AUTHORIZATION, bearer);
    let (socket, _) = connect_async(request).await?;
    let (mut to_server, mut from_server) = socket.split();
    let mut terminal = Pty::start(&launch, &runtime.settings().shell)?;
    let Pty { screen, keyboard, .. } = &mut terminal;
    // Three loops side by side: a program that prints while it is typed to needs both directions at once.
    let ended = tokio::select! {
        ended = show(screen, &mut to_server) => ended,
        ended = type_in(keyboard, &mut from_server) => ended,
        () = rental_over(runtime, &order.rental_id) => Ok(()),
    };
    drop(to_server.send(Message::Close(None)).await);
    ended
}

async fn show(screen: &mut pipe::Receiver, to_server: &mut SplitSink<Socket, Message>) -> Result<(), ShellError> {
    let mut buffer = vec![0; CHUNK];
    loop {
        match screen.read(&mut buffer).await {
            // Linux says EIO when nobody holds the other end any more.
            Err(error) if error.raw_os_error() == Some(nix::libc::EIO) => return Ok(()),
            Err(error) => return Err(error.into()),
            Ok(0) => return Ok(()),
            Ok(length) => to_server.send(Message::Binary(buffer[..length].to_vec().into())).await?,
        }
    }
}

async fn type_in(keyboard: &mut pipe::Sender, from_server: &mut SplitStream<Socket>) -> Result<(), ShellError> {
    loop {
        match from_server.next().await {
            Some(Ok(Message::Binary(bytes))) => keyboard.write_all(&bytes).await?,
            Some(Ok(Message::Text(text))) => {
                if let Ok(control) = serde_json::from_str::<ShellControl>(&text) {
                    resize(keyboard, control.resize)?;
                }
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(()),
        }
    }
}

async fn rental_over(runtime: &Runtime, rental: &str) {
    while runtime.is_usable(rental) {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// A terminal with a shell in it. Dropped, it hangs up and ends what is left of the session.
struct Pty {
    screen: pipe::Receiver,
    keyboard: pipe::Sender,
    shell: Option<Child>,
}

impl Pty {
    fn start(launch: &Launch, program: &Path) -> io::Result<Self> {
        let OpenptyResult { master, slave } = openpty(Some(&winsize(FIRST_SIZE)), None)?;
        if Uid::effective().is_root() {
            let (user, group) = (Uid::from_raw(launch.account.uid), Gid::from_raw(launch.account.gid));
            fchown(&slave, Some(user), Some(group))?;
        }
        let tty = ttyname(&slave)?;
        let mut launch = launch.clone();
        launch.environment.push(Variable { name: "TERM".to_owned(), value: "xterm-256color".to_owned() });
        let shell = launch.start(program, &["-i"], Terminal::Tty(&tty))?;
        drop(slave);
        let flags = OFlag::from_bits_truncate(fcntl(&master, FcntlArg::F_GETFL)?);
        fcntl(&master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
        Ok(Self {
            screen: pipe::Receiver::from_owned_fd_unchecked(master.try_clone()?)?,
            keyboard: pipe::Sender::from_owned_fd_unchecked(master)?,
            shell: Some(shell),
        })
    }
}

#[expect(unsafe_code, reason = "no safe call sets a terminal's size")]
fn resize(keyboard: &pipe::Sender, size: Size) -> io::Result<()> {
    let size = winsize(size);
    // SAFETY: the descriptor is open as long as it is borrowed, and the call reads one `winsize`, which outlives it.
    let result = unsafe { nix::libc::ioctl(keyboard.as_raw_fd(), nix::libc::TIOCSWINSZ, &raw const size) };
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let Some(mut shell) = self.shell.take() else { return };
        // Not waited for yet, so its number cannot have gone to anybody else.
        if let Ok(pid) = i32::try_from(shell.id())
            && matches!(shell.try_wait(), Ok(None))
        {
            for signal in [Signal::SIGHUP, Signal::SIGKILL] {
                let _ = killpg(Pid::from_raw(pid), signal);
            }
        }
        // It may take a moment to be gone, which is nobody's business here.
        std::thread::spawn(move || shell.wait());
    }
}

const fn winsize(size: Size) -> Winsize {
    Winsize { ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0 }
}
