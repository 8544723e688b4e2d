//! `souk trace`, as a person calls it. Published traces come from the public data.

#[path = "../../scheduler/tests/public/mod.rs"]
mod public;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use public::data;

fn souk(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_souk")).args(arguments).output().expect("the binary starts")
}

/// What the command printed, if it did what it was asked.
fn printed(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = souk(arguments);
    assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

/// What the command said when it refused.
fn refused(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = souk(arguments);
    assert!(!status.success() && stdout.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&stdout));
    String::from_utf8(stderr).expect("UTF-8")
}

/// A folder of a test's own, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("a folder below target");
    folder
}

/// A file with that text, and its path as an argument.
fn file(folder: &std::path::Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("the file is written");
    path.display().to_string()
}

#[test]
fn drawn_traces_are_the_published_ones() {
    let Some(table) = data("gavel/throughputs_isolated.csv") else { return };
    let speeds = file(&folder("drawn"), "throughputs.csv", &table);
    for (published, recipe) in [
        ("static120_s0", "--recipe static --jobs 120"),
        ("cont150_l3600_s0", "--recipe arrivals --jobs 150 --gap-seconds 3600"),
        ("cont150_l7200_s2", "--recipe arrivals --jobs 150 --gap-seconds 7200 --seed 2"),
    ] {
        let Some(trace) = data(&format!("gavel/traces/{published}.trace")) else { return };
        let arguments: Vec<&str> = ["trace", "--throughputs", &speeds].into_iter().chain(recipe.split(' ')).collect();
        assert!(printed(&arguments) == trace, "{published} is not what {recipe} draws");
    }
}

#[test]
fn a_trace_is_written_to_a_new_file_and_over_no_other() {
    let Some(table) = data("gavel/throughputs_isolated.csv") else { return };
    let folder = folder("written");
    let (speeds, out) = (file(&folder, "throughputs.csv", &table), folder.join("out.trace"));
    let draw = ["trace", "--recipe", "static", "--jobs", "2", "--throughputs", &speeds];
    let to = |path| [&draw[..], &["--out", path]].concat();
    let path = out.display().to_string();
    assert_eq!(printed(&to(&path)), "");
    assert_eq!(fs::read_to_string(&out).expect("the trace"), printed(&draw));
    fs::write(&out, "precious").expect("the file is written");
    assert!(refused(&to(&path)).ends_with("out.trace is there already; remove it or name another file\n"));
    assert_eq!(fs::read_to_string(&out).expect("the file"), "precious");
}

#[test]
fn what_cannot_be_drawn_is_said_in_a_sentence() {
    let speeds = file(&folder("refused"), "throughputs.csv", "worker_type,job_type,scale_factor,steps_per_s\n");
    let draw = |rest: &str| {
        refused(&["trace", "--throughputs", &speeds].into_iter().chain(rest.split(' ')).collect::<Vec<_>>())
    };
    assert!(draw("--recipe static --jobs 1").contains("throughputs.csv: the throughputs list no speed of"));
    assert!(draw("--recipe static --jobs 1 --gap-seconds 9").contains("--gap-seconds goes with --recipe arrivals"));
    assert!(draw("--recipe arrivals --jobs 1").contains("--gap-seconds <GAP_SECONDS>"));
    let unread = refused(&["trace", "--recipe", "static", "--jobs", "1", "--throughputs", "nowhere.csv"]);
    assert!(unread.contains("nowhere.csv cannot be read"), "{unread}");
}
