//! A Redis server of a test's own, on a socket in a folder of its own.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use souk::config::Environment;

/// A running Redis server. Dropped, it is gone.
#[derive(Debug)]
pub struct TestRedis {
    child: Child,
    folder: PathBuf,
}

impl TestRedis {
    /// Starts one. Where there is no Redis to start, the test is skipped, except in CI, where it fails.
    pub async fn start() -> Option<Self> {
        let folder = std::env::temp_dir().join(format!("souk-redis-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let socket = folder.join("socket");
        let child = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
            .arg(&socket)
            .current_dir(&folder)
            .stdout(Stdio::null())
            .spawn();
        let Ok(child) = child else {
            assert!(Environment::read("CI").is_none(), "CI has a redis-server");
            tracing::warn!("skipped: there is no redis-server here");
            return None;
        };
        let redis = Self { child, folder };
        while !socket.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Some(redis)
    }

    /// Its URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis+unix://{}/socket", self.folder.display())
    }

    /// Ends it, as a crash would.
    pub fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for TestRedis {
    fn drop(&mut self) {
        self.kill();
        drop(std::fs::remove_dir_all(&self.folder));
    }
}
