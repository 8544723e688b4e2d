//! `souk trace`, `souk simulate` and `souk compare`, as a person calls them. Published traces come from the public data.

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

#[test]
fn the_page_of_gangs_shows_how_they_fared_and_the_course_of_time() {
    let folder = folder("gangs");
    let speeds = file(&folder, "throughputs.csv", "worker_type,job_type,scale_factor,steps_per_s\nv100,A3C,1,2\n");
    let job = |arrival| format!("A3C\tpython3\trl\t--max-steps\t0\t4000\t1\t1\t-1\t{arrival}\n");
    let trace = file(&folder, "gangs.trace", &[0, 0, 9000].map(job).concat());
    let out = folder.join("run");
    let (run, page) = (out.display().to_string(), folder.join("page.html").display().to_string());
    let simulate = ["simulate", "--format", "gavel", "--cluster", "v100=1", "--round-seconds", "400"];
    printed(&[&simulate[..], &["--trace", &trace, "--throughputs", &speeds, "--out", &run]].concat());
    let rounds = fs::read_to_string(out.join("rounds.csv")).expect("rounds");
    let lines: Vec<&str> = rounds.lines().collect();
    assert_eq!(
        lines[..2],
        ["round,time_s,active,busy_devices,devices,utilisation,worst_lag_s", "0,0.000,2,1,1,1.0000,400.000"]
    );
    let nobody: Vec<&str> = lines.iter().filter(|line| line.starts_with(',')).copied().collect();
    assert_eq!(nobody, [",4000.000,0,0,1,0,0", ",11200.000,0,0,1,0,0"]);

    assert!(printed(&["compare", &run, "--html", &page]).contains("finish_time_fair"));
    let page = fs::read_to_string(page).expect("the page");
    let figures: Vec<&str> = page.split("<figure>").skip(1).collect();
    let titles = ["Finish-time ratios", "Completion times", "Utilisation over time", "Worst lag over time"];
    assert_eq!(figures.len(), titles.len());
    for (figure, title) in figures.iter().zip(titles) {
        assert!(figure.starts_with(&format!("<figcaption>{title}</figcaption>")), "{title}: {figure}");
        let line = figure.split("<path d=\"").find(|path| path.contains("stroke-width=\"2\"")).expect("a line");
        assert!(line.matches('L').count() >= 2, "{title}: {line}");
    }
}
