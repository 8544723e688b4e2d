//! `souk shell`: a terminal in a rental, over a WebSocket.

use std::io::{IsTerminal as _, Read as _, Write as _};

use anyhow::Context as _;
use clap::Args;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use super::connection::Connection;
use super::terminal;
use crate::client::view::Shell as Ticket;

/// Read from the keyboard at once, at most.
const TYPED_BYTES: usize = 4096;

/// Open a terminal in a rental. It ends when its shell does.
#[derive(Debug, Args)]
pub struct Shell {
    /// The rental
    id: String,

    #[command(flatten)]
    connection: Connection,
}

impl Shell {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let caller = self.connection.caller().await?;
        let ticket: Ticket = caller.post(&format!("/v1/rentals/{}/shells", self.id), &json!({})).await?;
        let url = format!("{}{}", caller.server().replacen("http", "ws", 1), ticket.url);
        let (socket, _) = connect_async(&url).await.context("the shell did not open")?;
        let (mut to, mut from) = socket.split();
        let restore = std::io::stdin().is_terminal().then(terminal::raw).transpose()?;
        let mut typed = keyboard();
        let mut resized = signal(SignalKind::window_change())?;
        if let Some(size) = size() {
            to.send(size).await?;
        }
        let mut typing = true;
        loop {
            tokio::select! {
                bytes = typed.recv(), if typing => {
                    typing = bytes.is_some();
                    // When the input is over, what it started may still print.
                    let bytes = bytes.unwrap_or_else(|| vec![END_OF_TRANSMISSION]);
                    to.send(Message::Binary(bytes.into())).await?;
                },
                _ = resized.recv() => if let Some(size) = size() { to.send(size).await? },
                message = from.next() => match message {
                    Some(Ok(Message::Binary(bytes))) => {
                        let mut screen = std::io::stdout().lock();
                        screen.write_all(&bytes)?;
                        screen.flush()?;
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                    Some(Ok(_)) => {}
                },
            }
        }
        drop(restore);
        // The keyboard's thread waits for a key that may never come.
        std::process::exit(0);
    }
}

/// Ctrl-D.
const END_OF_TRANSMISSION: u8 = 4;

/// What is typed, read on a thread of its own because a terminal cannot be waited for otherwise.
fn keyboard() -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel(16);
    std::thread::spawn(move || {
        let mut buffer = [0; TYPED_BYTES];
        while let Ok(count @ 1..) = std::io::stdin().lock().read(&mut buffer) {
            if sender.blocking_send(buffer[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

fn size() -> Option<Message> {
    let (columns, rows) = terminal::size()?;
    Some(Message::Text(json!({"resize": {"columns": columns, "rows": rows}}).to_string().into()))
}
