//! Real processes, on this machine.

use std::time::Duration;

use super::*;
use crate::protocol::WorkloadState;

struct Machine {
    runtime: Runtime,
    root: PathBuf,
    at: i64,
}

impl Machine {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("souk-runtime-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&root));
        let runtime = Runtime::open(Self::settings(&root)).unwrap();
        Self { runtime, root, at: 0 }
    }

    fn settings(root: &Path) -> Settings {
        fs::create_dir_all(root).unwrap();
        Settings { stop_grace: Duration::from_millis(300), ..Settings::new(root.to_owned()).unwrap() }
    }

    /// The agent is restarted: everything that it held in memory is lost.
    fn restart(&mut self) {
        self.runtime = Runtime::open(Self::settings(&self.root)).unwrap();
    }

    fn order(&mut self, rental: &str, epoch: i64, desired: Desired, command: &str, lease: u64) {
        self.at += 1;
        let order = Order {
            rental_id: rental.to_owned(),
            epoch,
            desired,
            command: Some(command.to_owned()),
            devices: vec!["CPU-1".to_owned()],
            environment: Vec::new(),
            expires_in_seconds: lease,
        };
        let work = Work { at_milliseconds: self.at, known: String::new(), workloads: vec![order], shells: Vec::new() };
        self.runtime.follow(&work, Instant::now());
    }

    fn run(&mut self, rental: &str, command: &str) {
        self.order(rental, 1, Desired::Running, command, 60);
    }

    /// Ticks until the condition holds.
    fn until(&self, what: &str, condition: impl Fn(&[Report]) -> bool) -> Vec<Report> {
        for _ in 0..400 {
            self.runtime.tick();
            self.runtime.report_again();
            let reports = self.runtime.reports();
            if condition(&reports) {
                return reports;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("never: {what}; last: {:?}", self.runtime.reports());
    }

    fn processes(&self) -> usize {
        self.runtime.inside().workloads.values().map(|workload| workload.living().len()).sum()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let keys: Vec<(String, i64)> = {
            let inside = self.runtime.inside();
            inside.workloads.values().map(|w| (w.record.order.rental_id.clone(), w.record.order.epoch)).collect()
        };
        for (rental, epoch) in keys {
            self.order(&rental, epoch, Desired::Gone, "", 0);
        }
        for _ in 0..100 {
            self.runtime.tick();
            if self.runtime.inside().workloads.is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        drop(fs::remove_dir_all(&self.root));
    }
}

fn state(reports: &[Report], wanted: WorkloadState) -> bool {
    reports.first().is_some_and(|report| report.state == wanted)
}

#[test]
fn a_command_runs_prints_and_ends_with_its_code() {
    let mut machine = Machine::new("command");
    machine.run("rnt_a", "echo rental $SOUK_RENTAL_ID; sleep 0.4; exit 3");
    machine.until("running", |reports| state(reports, WorkloadState::Running));
    let reports = machine.until("exited", |reports| state(reports, WorkloadState::Exited));
    assert_eq!(reports[0].exit_code, Some(3));
    assert_eq!(reports[0].log_tail.as_deref(), Some("rental rnt_a\n"));
    assert!((50..2000).contains(&reports[0].usable_milliseconds_total), "{reports:?}");
}

#[test]
fn a_rental_has_nothing_of_the_agents_and_is_not_root() {
    let mut machine = Machine::new("clean");
    machine.run("rnt_a", "id -u; env | cut -d= -f1 | sort | tr '\\n' ' '; cat ../record.json; ls ../..; sleep 1");
    let reports = machine.until("printed", |reports| {
        reports.first().and_then(|report| report.log_tail.as_ref()).is_some_and(|log| log.matches('\n').count() >= 1)
            && state(reports, WorkloadState::Running)
    });
    let log = reports[0].log_tail.clone().unwrap();
    assert_ne!(log.lines().next(), Some("0"), "{log}");
    assert!(!log.contains("CARGO"), "the agent's environment leaks: {log}");
    if nix::unistd::Uid::effective().is_root() {
        assert!(!log.contains("expires"), "the record can be read: {log}");
    }
}

#[test]
fn what_ignores_the_request_to_end_is_ended_with_everything_it_started() {
    let mut machine = Machine::new("stubborn");
    machine
        .run("rnt_a", "trap '' TERM; (trap '' TERM; setsid sleep 300) & (trap '' TERM; sleep 300) & wait; sleep 300");
    machine.until("three processes", |_| machine.processes() >= 3);
    machine.order("rnt_a", 1, Desired::Gone, "", 0);
    machine.until("gone", <[Report]>::is_empty);
    assert_eq!(machine.processes(), 0);
    assert_eq!(fs::read_dir(&machine.root).unwrap().count(), 0, "its folder is gone, too");
}

#[test]
fn a_restarted_agent_takes_over_what_runs() {
    let mut machine = Machine::new("restart");
    machine.run("rnt_a", "echo before; sleep 1; echo after; sleep 300");
    let before = machine.until("running", |reports| state(reports, WorkloadState::Running));
    let leader = machine.runtime.inside().workloads["rnt_a.1"].record.leader;
    machine.restart();
    let after = machine.until("both lines", |reports| {
        reports.first().and_then(|report| report.log_tail.as_deref()) == Some("before\nafter\n")
    });
    assert!(state(&after, WorkloadState::Running));
    assert_eq!(machine.runtime.inside().workloads["rnt_a.1"].record.leader, leader, "it was started again");
    assert!(after[0].usable_milliseconds_total >= before[0].usable_milliseconds_total + 500);
}

#[test]
fn what_ended_while_the_agent_was_away_has_ended() {
    let mut machine = Machine::new("away");
    machine.run("rnt_a", "sleep 0.6");
    machine.until("running", |reports| state(reports, WorkloadState::Running));
    std::thread::sleep(Duration::from_millis(700));
    machine.restart();
    let reports = machine.until("exited", |reports| state(reports, WorkloadState::Exited));
    assert_eq!(reports[0].exit_code, None);
}

#[test]
fn a_workload_without_word_from_the_server_stops_by_itself() {
    let mut machine = Machine::new("lease");
    machine.order("rnt_a", 1, Desired::Running, "sleep 300", 1);
    machine.until("running", |reports| state(reports, WorkloadState::Running));
    let reports = machine.until("lapsed", |reports| state(reports, WorkloadState::Failed));
    assert!(reports[0].message.as_deref().is_some_and(|message| message.contains("lease")), "{reports:?}");
    machine.until("no process is left", |_| machine.processes() == 0);
}

#[test]
fn a_device_goes_to_the_next_rental_only_when_nothing_of_the_last_is_left() {
    let mut machine = Machine::new("device");
    machine.run("rnt_a", "trap '' TERM; while :; do sleep 300; done");
    machine.until("running", |reports| state(reports, WorkloadState::Running));
    machine.order("rnt_a", 1, Desired::Gone, "", 0);
    machine.run("rnt_b", "sleep 300");
    machine.runtime.tick();
    let waiting = machine.runtime.reports();
    assert_eq!(waiting.iter().find(|r| r.rental_id == "rnt_b").unwrap().state, WorkloadState::Pulling);
    let reports =
        machine.until("the next one runs", |reports| reports.len() == 1 && state(reports, WorkloadState::Running));
    assert_eq!(reports[0].rental_id, "rnt_b");
}

#[test]
fn an_answer_from_before_brings_nothing_back() {
    let mut machine = Machine::new("overtaken");
    machine.run("rnt_a", "sleep 300");
    machine.until("running", |reports| state(reports, WorkloadState::Running));
    machine.order("rnt_a", 1, Desired::Gone, "", 0);
    machine.until("gone", <[Report]>::is_empty);
    machine.at -= 2;
    machine.run("rnt_a", "sleep 300");
    assert!(machine.runtime.reports().is_empty(), "an older answer was followed");
    machine.at += 5;
    machine.run("rnt_a", "sleep 300");
    assert!(machine.runtime.reports().is_empty(), "what was removed came back");
}

#[test]
fn a_command_that_does_not_exist_fails_without_use() {
    let mut machine = Machine::new("missing");
    machine.run("rnt_a", "exec /no/such/program");
    let reports = machine.until("failed", |reports| state(reports, WorkloadState::Failed));
    assert_eq!(reports[0].usable_milliseconds_total, 0);
    assert_eq!(reports[0].exit_code, Some(127));
}
