//! A reader of server-sent events.

use std::collections::VecDeque;
use std::pin::Pin;
use std::time::Duration;

use futures_util::{Stream, StreamExt as _};
use serde_json::Value;

/// One event, as it arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrived {
    /// Its place in the stream; none for what cannot be resumed from.
    pub id: Option<i64>,
    /// Its kind.
    pub event: String,
    /// Its data.
    pub data: Value,
}

type Chunks = Pin<Box<dyn Stream<Item = Result<Vec<u8>, reqwest::Error>> + Send>>;

/// An open stream.
pub struct EventStream {
    chunks: Chunks,
    text: String,
    arrived: VecDeque<Arrived>,
    connected: bool,
}

impl EventStream {
    /// Takes over the body of an answer and reads up to its opening line.
    pub async fn open(response: reqwest::Response) -> Self {
        let chunks = response.bytes_stream().map(|chunk| chunk.map(|bytes| bytes.to_vec()));
        let mut stream =
            Self { chunks: Box::pin(chunks), text: String::new(), arrived: VecDeque::new(), connected: false };
        while !stream.connected && stream.more().await {}
        stream
    }

    /// The next event; fails the test when none arrives within ten seconds.
    pub async fn next(&mut self) -> Arrived {
        self.within(Duration::from_secs(10)).await.expect("an event arrives in time")
    }

    /// The next event, if one arrives in that time.
    pub async fn within(&mut self, patience: Duration) -> Option<Arrived> {
        tokio::time::timeout(patience, async {
            loop {
                if let Some(arrived) = self.arrived.pop_front() {
                    return Some(arrived);
                }
                if !self.more().await {
                    return None;
                }
            }
        })
        .await
        .ok()
        .flatten()
    }

    /// Whether the server has ended the stream, once everything was read.
    pub async fn ended(&mut self) -> bool {
        let ending = async { while self.more().await {} };
        tokio::time::timeout(Duration::from_secs(10), ending).await.is_ok()
    }

    async fn more(&mut self) -> bool {
        let Some(Ok(bytes)) = self.chunks.next().await else { return false };
        self.text.push_str(std::str::from_utf8(&bytes).expect("events are text"));
        if let Some((whole, rest)) = self.text.rsplit_once("\n\n") {
            for block in whole.split("\n\n") {
                self.connected |= block.contains(": connected");
                self.arrived.extend(parse(block));
            }
            self.text = rest.to_owned();
        }
        true
    }
}

fn parse(block: &str) -> Option<Arrived> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    Some(Arrived {
        id: field("id").and_then(|id| id.parse().ok()),
        event: field("event")?.to_owned(),
        data: serde_json::from_str(field("data")?).ok()?,
    })
}
