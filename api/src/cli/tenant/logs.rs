//! `souk logs`

use std::io::Write as _;
use std::time::Duration;

use clap::Args;

use super::connection::Connection;
use crate::client::view::{Logs as Output, Rental};

/// The server keeps the end of the output only; it is asked for again this often.
const FOLLOW_EVERY: Duration = Duration::from_secs(2);

/// Show what a rental's workload printed.
#[derive(Debug, Args)]
pub struct Logs {
    /// The rental
    id: String,

    /// Go on until the rental ends
    #[arg(long, short)]
    follow: bool,

    #[command(flatten)]
    connection: Connection,
}

impl Logs {
    pub(super) async fn run(self) -> anyhow::Result<()> {
        let caller = self.connection.caller().await?;
        let mut shown = String::new();
        loop {
            let output: Output = caller.get(&format!("/v1/rentals/{}/logs", self.id)).await?;
            if output.truncated && shown.is_empty() {
                writeln!(std::io::stderr(), "(the beginning is not kept)")?;
            }
            let mut out = std::io::stdout().lock();
            out.write_all(news(&shown, &output.text).as_bytes())?;
            out.flush()?;
            drop(out);
            shown = output.text;
            let rental: Rental = caller.get(&format!("/v1/rentals/{}", self.id)).await?;
            if !self.follow || rental.state == "ended" {
                return Ok(());
            }
            tokio::time::sleep(FOLLOW_EVERY).await;
        }
    }
}

/// What `now` has beyond `before`, whose beginning may have been dropped meanwhile.
fn news<'a>(before: &str, now: &'a str) -> &'a str {
    let kept = before.char_indices().map(|(at, _)| &before[at..]).find(|end| now.starts_with(*end));
    &now[kept.map_or(0, str::len)..]
}

#[cfg(test)]
mod tests {
    use super::news;

    #[test]
    fn following_shows_each_line_once() {
        assert_eq!(news("", "a\nb\n"), "a\nb\n");
        assert_eq!(news("a\nb\n", "a\nb\nc\n"), "c\n");
        assert_eq!(news("a\nb\n", "b\nc\n"), "c\n");
        assert_eq!(news("a\n", "x\n"), "x\n");
        assert_eq!(news("a\nb\n", "a\nb\n"), "");
    }
}
