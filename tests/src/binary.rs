//! The real binary as child processes: what suites use that must see a whole server die, start or serve a page.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::client::Client;

/// The binary that was built beside this test.
#[must_use]
pub fn path() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().and_then(Path::parent).expect("tests lie in target/PROFILE/deps");
    folder.join("souk")
}

/// A child process that is ended with its owner.
#[derive(Debug)]
pub struct Process(Child);

impl Process {
    /// Starts a command of the binary; its log goes to a file in `dir`.
    pub fn start(dir: &Path, log: &str, arguments: &[&str]) -> std::io::Result<Self> {
        let log = std::fs::File::create(dir.join(log))?;
        let child = Command::new(path())
            .args(arguments)
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        Ok(Self(child))
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Asks it to stop, as Ctrl-C does, and waits.
    pub fn interrupt(&mut self) {
        self.end_by("-INT");
    }

    /// Asks it to stop, as a service manager does, and waits.
    pub fn terminate(&mut self) {
        self.end_by("-TERM");
    }

    fn end_by(&mut self, signal: &str) {
        drop(Command::new("kill").args([signal, &self.0.id().to_string()]).status());
        drop(self.0.wait());
    }

    /// Kills it without a warning, as a lost machine does, and waits.
    pub fn kill(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            self.interrupt();
        }
    }
}

/// A port that is free now.
#[must_use]
pub fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has a free port");
    listener.local_addr().expect("a bound listener has an address").port()
}

/// Waits until the server on that port is ready.
pub async fn ready(port: u16) -> Client {
    let client = Client::new(&format!("http://127.0.0.1:{port}"));
    let http = reqwest::Client::new();
    for _ in 0..600 {
        let answer = http.get(format!("{}/readyz", client.base())).send().await;
        if answer.is_ok_and(|response| response.status().is_success()) {
            return client;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the server on port {port} is not ready after a minute");
}
