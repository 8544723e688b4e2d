//! The embedded PostgreSQL through everything that happens to a server on somebody's laptop.
//!
//! Each test has a folder of its own on the memory file system (deep and long where that is the point).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use souk::embedded::{Embedded, EmbeddedError, Lifetime, Options};
use sqlx::{Connection as _, PgConnection};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let base = if Path::new("/dev/shm").is_dir() { "/dev/shm" } else { "/tmp" };
        let folder = PathBuf::from(format!("{base}/souk-embedded-{}-{name}", std::process::id()));
        Self(folder)
    }

    fn options(&self) -> Options {
        Options { may_fetch: false, ..Options::throwaway(&self.0) }
    }

    fn start(&self) -> Embedded {
        Embedded::start(&self.options()).expect("the embedded server starts")
    }

    fn postmaster_pid(&self) -> Pid {
        let text = fs::read_to_string(self.0.join("data/postmaster.pid")).expect("a running server wrote its pid");
        Pid::from_raw(text.lines().next().and_then(|line| line.parse().ok()).expect("its first line is the pid"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}

/// Runs statements and returns the first column of the last one's row.
fn query(url: &str, statements: &[&str]) -> i32 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut connection = PgConnection::connect(url).await.expect("the server accepts connections");
        let (last, before) = statements.split_last().expect("at least one statement");
        for statement in before {
            sqlx::query(statement).execute(&mut connection).await.expect("the statement runs");
        }
        sqlx::query_scalar(last).fetch_one(&mut connection).await.expect("the last statement returns a row")
    })
}

fn remember(url: &str) {
    query(url, &["CREATE TABLE memory (x INTEGER)", "INSERT INTO memory VALUES (42)", "CHECKPOINT", "SELECT 1"]);
}

fn recall(url: &str) -> i32 {
    query(url, &["SELECT x FROM memory"])
}

#[test]
fn a_cold_start_gives_a_database_in_utf8_that_no_network_reaches() {
    let folder = Folder::new("cold");
    let server = folder.start();
    assert!(server.is_owner());
    let sql = "SELECT (current_setting('server_encoding') = 'UTF8' AND current_setting('listen_addresses') = '' \
               AND current_database() = 'souk')::int";
    assert_eq!(query(server.url(), &[sql]), 1);
    server.stop().expect("a clean stop");
    assert!(!folder.0.join("data/postmaster.pid").exists());
}

#[test]
fn a_warm_start_finds_what_was_written() {
    let folder = Folder::new("warm");
    let server = folder.start();
    remember(server.url());
    server.stop().expect("a clean stop");
    assert_eq!(recall(folder.start().url()), 42);
}

#[test]
fn a_second_start_on_the_folder_is_a_guest_and_leaves_the_server_running() {
    let folder = Folder::new("guest");
    let owner = folder.start();
    remember(owner.url());
    let guest = folder.start();
    assert!(!guest.is_owner());
    assert_eq!(guest.url(), owner.url());
    guest.stop().expect("leaving is always possible");
    assert_eq!(recall(owner.url()), 42);
}

#[test]
fn who_only_asks_for_a_running_server_starts_none() {
    let folder = Folder::new("asks");
    assert_eq!(Embedded::running(&folder.options()).expect("an absent folder is no error"), None);
    assert!(!folder.0.exists(), "asking made a folder");
    let owner = folder.start();
    assert_eq!(Embedded::running(&folder.options()).expect("asking is allowed").as_deref(), Some(owner.url()));
    owner.stop().expect("a clean stop");
    assert_eq!(Embedded::running(&folder.options()).expect("asking is allowed"), None);
}

#[test]
fn a_killed_postmaster_does_not_stand_in_the_way_of_the_next_start() {
    let folder = Folder::new("killed");
    let server = folder.start();
    remember(server.url());
    kill(folder.postmaster_pid(), Signal::SIGKILL).expect("the postmaster is ours to kill");
    server.stop().expect("there is nothing left to stop");
    assert!(folder.0.join("data/postmaster.pid").exists(), "a killed server cleans nothing up");
    assert_eq!(recall(folder.start().url()), 42);
}

#[test]
fn an_owner_notices_that_its_server_has_ended() {
    let folder = Folder::new("noticed");
    let mut server = folder.start();
    assert_eq!(server.ended(), None);
    kill(folder.postmaster_pid(), Signal::SIGKILL).expect("the postmaster is ours to kill");
    let told = (0..500).find_map(|_| {
        sleep(Duration::from_millis(10));
        server.ended()
    });
    assert!(told.expect("it is noticed").contains("signal: 9"));
    server.stop().expect("there is nothing left to stop");
}

#[test]
fn a_file_where_the_folder_should_be_is_refused_by_name() {
    let folder = Folder::new("file");
    fs::write(&folder.0, "").expect("a file can be laid");
    let refused = Embedded::start(&folder.options()).expect_err("a file is no folder");
    fs::remove_file(&folder.0).expect("the file is ours");
    assert!(refused.to_string().contains(&format!("{} is not a folder", folder.0.display())), "{refused}");
}

#[test]
fn when_owner_and_server_are_both_killed_the_next_start_recovers() {
    let folder = Folder::new("both");
    // The orphaned postmaster becomes our child, and, as we never wait for it, a zombie.
    nix::sys::prctl::set_child_subreaper(true).expect("the kernel knows subreapers");
    let mut owner = owner_process(&folder, "owner_until_killed");
    await_file(&folder.0.join("remembered"));
    let postmaster = folder.postmaster_pid();
    kill(postmaster, Signal::SIGSTOP).expect("so that it cannot stop in order");
    owner.kill().expect("the owner is ours to kill");
    owner.wait().expect("the owner is reaped");
    kill(postmaster, Signal::SIGKILL).expect("the postmaster is ours to kill");
    await_zombie(postmaster);
    assert!(folder.0.join("data/postmaster.pid").exists(), "a killed server cleans nothing up");
    let server = folder.start();
    assert!(server.is_owner());
    assert_eq!(recall(server.url()), 42);
}

#[test]
fn when_the_owner_is_killed_its_server_stops_by_itself_and_in_order() {
    let folder = Folder::new("orphan");
    let mut owner = owner_process(&folder, "owner_until_killed");
    await_file(&folder.0.join("remembered"));
    owner.kill().expect("the owner is ours to kill");
    owner.wait().expect("the owner is reaped");
    await_absence(&folder.0.join("data/postmaster.pid"));
    assert_eq!(recall(folder.start().url()), 42);
}

#[test]
#[ignore = "run by the tests above in a process of its own"]
fn owner_until_killed() {
    let Some(options) = handed_over() else { return };
    let server = Embedded::start(&options).expect("the embedded server starts");
    remember(server.url());
    fs::write(options.data_dir.join("remembered"), "").expect("the folder can be written");
    sleep(Duration::from_secs(60));
}

#[test]
fn a_start_straight_after_the_owner_was_killed_waits_for_the_old_server() {
    let folder = Folder::new("straight");
    let mut owner = owner_process(&folder, "owner_until_killed");
    await_file(&folder.0.join("remembered"));
    owner.kill().expect("the owner is ours to kill");
    owner.wait().expect("the owner is reaped");
    let server = folder.start();
    assert!(server.is_owner());
    assert_eq!(recall(server.url()), 42);
}

#[test]
fn a_detached_server_is_shared_by_all_who_start_it() {
    let folder = Folder::new("detached");
    let options = Options { lifetime: Lifetime::Detached, ..folder.options() };
    let first = Embedded::start(&options).expect("the first start runs it");
    remember(first.url());
    drop(first);
    let second = Embedded::start(&options).expect("the second start finds it");
    assert!(!second.is_owner());
    assert_eq!(recall(second.url()), 42);
    kill(folder.postmaster_pid(), Signal::SIGINT).expect("it is ours to stop");
    await_absence(&folder.0.join("data/postmaster.pid"));
}

#[test]
fn a_folder_too_deep_for_a_socket_gets_a_short_one() {
    let folder = Folder::new("deep");
    let options = Options { data_dir: folder.0.join("d".repeat(100)), ..folder.options() };
    let server = Embedded::start(&options).expect("the embedded server starts");
    assert!(server.url().contains("host=/tmp/souk-"));
    assert_eq!(query(server.url(), &["SELECT 1"]), 1);
    let short = PathBuf::from(server.url().split("host=").nth(1).expect("the URL names the socket's folder"));
    server.stop().expect("a clean stop");
    let _gone = fs::remove_dir(short);
}

#[test]
fn a_start_cut_short_inside_initdb_is_made_anew() {
    let folder = Folder::new("cut");
    fs::create_dir_all(folder.0.join("data.tmp/base")).expect("the remains can be laid");
    assert_eq!(query(folder.start().url(), &["SELECT 1"]), 1);
    assert!(!folder.0.join("data.tmp").exists());
}

#[test]
fn data_of_another_major_version_is_refused_with_both_versions_named() {
    let folder = Folder::new("version");
    folder.start().stop().expect("a clean stop");
    fs::write(folder.0.join("data/PG_VERSION"), "9\n").expect("the version can be rewritten");
    match Embedded::start(&folder.options()) {
        Err(error @ EmbeddedError::WrongVersion { data: 9, .. }) => assert!(error.to_string().contains("postgresql-9")),
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn root_falls_back_to_a_reachable_folder_and_says_so() {
    use std::os::unix::fs::PermissionsExt as _;
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let folder = Folder::new("closed");
    let closed = folder.0.join("home");
    fs::create_dir_all(&closed).expect("the closed folder can be made");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).expect("and closed");
    let fallback_root = Some(folder.0.join("fallback"));
    let options = Options { data_dir: closed.join("souk"), fallback_root, ..folder.options() };
    let server = Embedded::start(&options).expect("the embedded server starts elsewhere");
    assert!(server.folder().starts_with(folder.0.join("fallback")));
    assert!(server.notices()[0].contains("may not enter"));
    server.stop().expect("a clean stop");
    let strict = Options { fallback_root: None, ..options };
    assert!(matches!(Embedded::start(&strict), Err(EmbeddedError::Unreachable { .. })));
}

#[test]
#[ignore = "downloads 14 MB: run it after changing the pinned version"]
fn a_machine_without_postgresql_fetches_a_private_copy() {
    let folder = Folder::new("fetched");
    let options = Options {
        may_fetch: true,
        search_path: std::ffi::OsString::new(),
        distribution_root: folder.0.join("none"),
        ..folder.options()
    };
    let server = Embedded::start(&options).expect("the private copy starts");
    assert!(server.notices()[0].contains("private copy"));
    assert_eq!(query(server.url(), &["CREATE EXTENSION btree_gist", "SELECT 1"]), 1);
}

/// Runs one of the ignored tests above as a process that can be killed.
fn owner_process(folder: &Folder, test: &str) -> Child {
    let me = std::env::current_exe().expect("the test knows its own program");
    Command::new(me)
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env("SOUK_TEST_FOLDER", &folder.0)
        .stdout(Stdio::null())
        .spawn()
        .expect("the test can run itself")
}

#[expect(clippy::disallowed_methods, reason = "a test hands a folder to another process of itself")]
fn handed_over() -> Option<Options> {
    let folder = std::env::var_os("SOUK_TEST_FOLDER")?;
    Some(Options { may_fetch: false, ..Options::throwaway(PathBuf::from(folder)) })
}

fn await_zombie(pid: Pid) {
    for _ in 0..1000 {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("nobody reaps it");
        if stat.contains(") Z ") {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("process {pid} did not die");
}

/// A clean stop removes `postmaster.pid`, last of all.
fn await_absence(path: &Path) {
    for _ in 0..3000 {
        if !path.exists() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("{} is still there", path.display());
}

fn await_file(path: &Path) {
    for _ in 0..3000 {
        if path.exists() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("{} never appeared", path.display());
}
