//! What bids are held against: plain one-row INSERT commits into the same PostgreSQL, over as many connections.

use std::time::Duration;

use sqlx::{Connection as _, PgConnection};
use tokio::task::JoinSet;

use super::Figures;
use super::stopwatch::Stopwatch;
use crate::entropy::{Entropy, SystemEntropy};

/// Connections to a table of its own, as plain as a table with a key can be.
pub(super) struct Inserts {
    connections: Vec<PgConnection>,
}

impl Inserts {
    /// Makes the table and opens the connections.
    pub(super) async fn open(url: &str, connections: usize) -> anyhow::Result<Self> {
        let mut first = PgConnection::connect(url).await?;
        sqlx::query("CREATE TABLE IF NOT EXISTS plain_rows (id UUID PRIMARY KEY, body TEXT NOT NULL)")
            .execute(&mut first)
            .await?;
        let mut opened = vec![first];
        while opened.len() < connections {
            opened.push(PgConnection::connect(url).await?);
        }
        Ok(Self { connections: opened })
    }

    /// Inserts for so long, each connection one row after the other, each row its own commit.
    pub(super) async fn run(&mut self, time: Duration) -> anyhow::Result<Figures> {
        let begun = Stopwatch::start();
        let mut workers = JoinSet::new();
        for connection in self.connections.drain(..) {
            workers.spawn(insert(connection, begun, time));
        }
        let mut parts = Vec::new();
        while let Some(done) = workers.join_next().await {
            let (connection, figures) = done?;
            self.connections.push(connection);
            parts.push(figures);
        }
        Ok(Figures::merged(parts, begun.elapsed()))
    }
}

async fn insert(mut connection: PgConnection, begun: Stopwatch, time: Duration) -> (PgConnection, Figures) {
    let mut figures = Figures::default();
    while begun.elapsed() < time {
        let mut id = [0; 16];
        SystemEntropy.fill(&mut id);
        let one = Stopwatch::start();
        let done = sqlx::query("INSERT INTO plain_rows (id, body) VALUES ($1, $2)")
            .bind(uuid::Uuid::from_bytes(id))
            .bind("a row of some thirty characters")
            .execute(&mut connection)
            .await;
        match done {
            Ok(_) => figures.note(one.elapsed()),
            Err(_) => figures.fail(),
        }
    }
    (connection, figures)
}
