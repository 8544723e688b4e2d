//! A reader's items as the bytes of an event stream.

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING};
use actix_web::web::Bytes;
use futures_util::stream;
use prometheus::IntGauge;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::EventView;
use crate::State;
use crate::config::limits;
use crate::feed::{Item, Reader, Topic};
use crate::http::error::{Code, Problem};
use crate::store::StoreError;
use crate::store::events::Event;

/// The header by which a reader says what it has seen.
const LAST_EVENT_ID: &str = "Last-Event-ID";
/// What a browser waits before it comes back.
const OPENING: &str = "retry: 1000\n: connected\n\n";
const HEARTBEAT: &str = ": still here\n\n";
const GAP: &str = "event: gap\ndata: {}\n\n";

/// Streams the topic's events from where the reader left off.
pub fn respond(state: &State, request: &HttpRequest, topic: Topic) -> Result<HttpResponse, Problem> {
    let last_seen = last_seen(request)?;
    let place = Place::take(state)?;
    let reader = state.feed.reader(state.db.clone(), topic, last_seen);
    let streaming = Streaming { reader, stopping: state.stopping.clone(), opened: false, _place: place };
    let life = sleep(limits::EVENT_STREAM);
    let chunks = stream::unfold((streaming, Box::pin(life)), |(mut streaming, mut life)| async move {
        let chunk = tokio::select! {
            chunk = streaming.next() => chunk,
            () = &mut life => None,
        };
        chunk.map(|chunk| (chunk, (streaming, life)))
    });
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((CACHE_CONTROL, "no-cache, no-transform"))
        // Said outright, so that nothing on the way collects events in order to compress them.
        .insert_header((CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(chunks))
}

struct Streaming {
    reader: Reader,
    stopping: CancellationToken,
    opened: bool,
    _place: Place,
}

impl Streaming {
    /// The next bytes; `None` ends the stream. The client comes back and resumes.
    async fn next(&mut self) -> Option<Result<Bytes, StoreError>> {
        if !std::mem::replace(&mut self.opened, true) {
            return Some(Ok(Bytes::from_static(OPENING.as_bytes())));
        }
        tokio::select! {
            item = self.reader.next() => match item {
                Ok(Some(Item::Event(event))) => Some(Ok(frame(&event))),
                Ok(Some(Item::Gap)) => Some(Ok(Bytes::from_static(GAP.as_bytes()))),
                Ok(None) => None,
                Err(error) => Some(Err(error)),
            },
            () = sleep(limits::EVENT_HEARTBEAT) => Some(Ok(Bytes::from_static(HEARTBEAT.as_bytes()))),
            () = self.stopping.cancelled() => None,
        }
    }
}

fn frame(event: &Event) -> Bytes {
    let data = serde_json::to_string(&EventView::from(event)).expect("a view is plain data");
    Bytes::from(format!("id: {}\nevent: {}\ndata: {data}\n\n", event.position, event.kind))
}

fn last_seen(request: &HttpRequest) -> Result<Option<i64>, Problem> {
    let Some(value) = request.headers().get(LAST_EVENT_ID) else { return Ok(None) };
    let position = value.to_str().ok().and_then(|text| text.parse().ok()).filter(|position| *position >= 0);
    let refused = || Problem::new(Code::InvalidValue, "send the id of the last event you saw").field(LAST_EVENT_ID);
    position.map(Some).ok_or_else(refused)
}

/// One of the places for readers; given back when the stream ends, however it ends.
struct Place(IntGauge);

impl Place {
    fn take(state: &State) -> Result<Self, Problem> {
        let readers = &state.metrics.event_readers;
        readers.inc();
        let place = Self(readers.clone());
        if readers.get() <= limits::EVENT_READERS {
            return Ok(place);
        }
        state.metrics.limit_reached("event_readers");
        Err(Problem::new(Code::Unavailable, "too many readers follow events just now; try again soon").retry_after(5))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.dec();
    }
}
