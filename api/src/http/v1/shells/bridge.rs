//! Between a WebSocket and one end of a shell: what comes in goes to the other end, what comes from there goes out.

use std::future::Future;
use std::time::Duration;

use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, CloseReason, MessageStream, Session};
use futures_util::StreamExt as _;

use crate::config::limits;
use crate::shells::{End, Frame};

/// Keeps the way open through whatever lies in between, and notices when it is not.
const PING_EVERY: Duration = Duration::from_secs(20);

/// Passes frames on until either side closes, or `over` is. Closing this end closes the other.
pub async fn bridge(socket: Session, messages: MessageStream, end: End, over: impl Future<Output = ()>) {
    let End { to, mut from } = end;
    let mut messages = messages
        .max_frame_size(limits::SHELL_FRAME_BYTES)
        .aggregate_continuations()
        .max_continuation_size(limits::SHELL_FRAME_BYTES);
    let mut outgoing = socket.clone();
    let out = async {
        let mut ping = tokio::time::interval(PING_EVERY);
        loop {
            let sent = tokio::select! {
                frame = from.recv() => match frame {
                    Some(Frame::Bytes(bytes)) => outgoing.binary(bytes).await,
                    Some(Frame::Text(text)) => outgoing.text(text).await,
                    None => return,
                },
                _ = ping.tick() => outgoing.ping(b"").await,
            };
            if sent.is_err() {
                return;
            }
        }
    };
    let mut pongs = socket.clone();
    let into = async {
        while let Some(frame) = next(&mut messages, &mut pongs).await {
            if to.send(frame).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = out => {}
        () = into => {}
        () = over => {}
    }
    close(socket, None).await;
}

/// Says why and closes.
pub async fn close(socket: Session, why: Option<&str>) {
    let reason = why.map(|why| CloseReason { code: CloseCode::Again, description: Some(why.to_owned()) });
    drop(socket.close(reason).await);
}

async fn next(messages: &mut AggregatedMessageStream, pongs: &mut Session) -> Option<Frame> {
    loop {
        match messages.next().await?.ok()? {
            AggregatedMessage::Binary(bytes) => return Some(Frame::Bytes(bytes)),
            AggregatedMessage::Text(text) => return Some(Frame::Text(text.to_string())),
            AggregatedMessage::Ping(bytes) => pongs.pong(&bytes).await.ok()?,
            AggregatedMessage::Pong(_) => {}
            AggregatedMessage::Close(_) => return None,
        }
    }
}
