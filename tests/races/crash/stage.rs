//! Where it is played: the real server on its embedded PostgreSQL, on disk, with fsync on; and how both are killed.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use souk::embedded::{Embedded, Options};
use souk_tests::Client;
use souk_tests::binary::{self, Process};
use sqlx::PgPool;

/// What dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// The server alone; the kernel then tells its PostgreSQL to end.
    Server,
    /// The server and every process of its PostgreSQL, at the same instant.
    Everything,
}

/// A folder and the server that runs on it.
pub struct Stage {
    folder: PathBuf,
    port: u16,
    server: Process,
    starts: u32,
}

impl Stage {
    /// Starts a server with a demo of its own on a new folder.
    pub fn open() -> Self {
        let folder = std::env::temp_dir().join(format!("souk-crash-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        // PostgreSQL may run as another account, which has to get there.
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("the folder's mode");
        let port = binary::free_port();
        let server = serve(&folder, port, 1);
        Self { folder, port, server, starts: 1 }
    }

    /// Speaks for nobody.
    pub fn anyone(&self) -> Client {
        Client::new(&format!("http://127.0.0.1:{}", self.port))
    }

    /// Waits until requests are served; returns how long that took.
    pub async fn ready(&self) -> Duration {
        let began = Instant::now();
        drop(binary::ready(self.port).await);
        began.elapsed()
    }

    /// Kills without a warning.
    pub fn kill(&mut self, victim: Victim) {
        if victim == Victim::Everything {
            let mut doomed = self.postgres();
            doomed.push(self.server.id());
            let doomed = doomed.iter().map(u32::to_string);
            drop(Command::new("kill").arg("-KILL").args(doomed).status());
        }
        self.server.kill();
    }

    /// Starts the server again on what is there.
    pub fn restart(&mut self) {
        self.starts += 1;
        self.server = serve(&self.folder, self.port, self.starts);
    }

    /// Asks the server to stop, as a service manager does, and waits for it. Nothing of it may be left.
    pub fn stop(&mut self) {
        self.server.terminate();
        assert_eq!(self.postgres(), [0_u32; 0], "PostgreSQL outlived its server");
    }

    /// The database of the running server.
    pub async fn database(&self) -> PgPool {
        let running = Embedded::running(&Options::new(self.cluster())).expect("the folder can be read");
        souk::store::connect(&running.expect("the server runs its database"), 2).await.expect("the database answers")
    }

    /// Where the embedded PostgreSQL has its files.
    pub fn cluster(&self) -> PathBuf {
        self.folder.join("data/postgres")
    }

    /// PostgreSQL's processes at work in the folder.
    fn postgres(&self) -> Vec<u32> {
        let data = self.cluster().join("data");
        let works_there = |pid: &u32| std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == data);
        let processes = std::fs::read_dir("/proc").expect("a list of processes").flatten();
        processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()).filter(works_there).collect()
    }

    /// Removes the folder: only when all went well, since it holds the evidence.
    pub fn remove(self) {
        let Self { folder, server, .. } = self;
        drop(server);
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    /// Where the evidence is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

fn serve(folder: &Path, port: u16, start: u32) -> Process {
    let (data, port) = (folder.join("data").to_string_lossy().into_owned(), port.to_string());
    let arguments = ["serve", "--demo", "--round-seconds", "5", "--sign-up-credit", "1000000", "--port", &port];
    let patience = ["--data-dir", &data, "--requests-per-minute", "1000000", "--logins-per-minute", "1000000"];
    Process::start(folder, &format!("server-{start}.log"), &[arguments.as_slice(), &patience].concat())
        .expect("the server starts")
}
