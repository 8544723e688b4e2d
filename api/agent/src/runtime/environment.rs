//! The environment of a rental's processes: nothing of the agent's, and what a program expects to find.

use std::path::Path;

use super::account::Account;
use super::workload::name;
use crate::protocol::{Order, Variable};

/// The variable by which a workload's processes can be told from all others.
const MARK: &str = "SOUK_WORKLOAD";

/// How [`MARK`] begins in the environment of every process of the agent with this tag.
pub(super) fn mark_of_agent(tag: u32) -> String {
    format!("{MARK}={tag:08x}/")
}

/// [`MARK`] as it stands in the environment of the workload's processes.
pub(super) fn mark(tag: u32, order: &Order) -> String {
    format!("{}{}/", mark_of_agent(tag), name(&order.rental_id, order.epoch))
}

/// The whole environment. What the server adds cannot replace what the agent goes by.
pub(super) fn of(tag: u32, order: &Order, home: &Path, account: Account) -> Vec<Variable> {
    let home = home.display().to_string();
    let devices = order.devices.join(",");
    let gpus: Vec<&str> = order
        .devices
        .iter()
        .map(String::as_str)
        .filter(|uuid| uuid.starts_with("GPU-") || uuid.starts_with("MIG-"))
        .collect();
    let fixed = [
        ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".to_owned()),
        ("LANG", "C.UTF-8".to_owned()),
        ("HOME", home.clone()),
        ("TMPDIR", home),
        ("USER", format!("u{}", account.uid)),
        ("CUDA_VISIBLE_DEVICES", gpus.join(",")),
        ("SOUK_RENTAL_ID", order.rental_id.clone()),
        ("SOUK_DEVICES", devices),
        (MARK, mark(tag, order)[MARK.len() + 1..].to_owned()),
    ];
    let added = order.environment.iter().filter(|variable| fixed.iter().all(|(name, _)| *name != variable.name));
    let added = added.filter(|variable| !variable.name.is_empty() && !variable.name.contains(['=', '\0'])).cloned();
    let fixed = fixed.iter().map(|(name, value)| Variable { name: (*name).to_owned(), value: value.clone() });
    fixed.chain(added.filter(|variable| !variable.value.contains('\0'))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Desired;

    #[test]
    fn what_the_server_adds_replaces_nothing_that_the_agent_goes_by() {
        let variable = |name: &str| Variable { name: name.to_owned(), value: "x".to_owned() };
        let order = Order {
            rental_id: "rnt_1".to_owned(),
            epoch: 2,
            desired: Desired::Running,
            command: None,
            devices: vec!["GPU-a".to_owned(), "CPU-b".to_owned()],
            environment: vec![variable("SOUK_WORKLOAD"), variable("A=B"), variable("EXTRA")],
            expires_in_seconds: 1,
        };
        let environment = of(1, &order, Path::new("/home"), Account { uid: 7, gid: 7, own: true });
        let value = |name: &str| {
            let named: Vec<_> = environment.iter().filter(|variable| variable.name == name).collect();
            assert!(named.len() <= 1, "{name} is there twice");
            named.first().map(|variable| variable.value.as_str())
        };
        assert_eq!(value("SOUK_WORKLOAD"), Some("00000001/rnt_1.2/"));
        assert_eq!(value("CUDA_VISIBLE_DEVICES"), Some("GPU-a"));
        assert_eq!(value("SOUK_DEVICES"), Some("GPU-a,CPU-b"));
        assert_eq!((value("EXTRA"), value("A=B"), value("A")), (Some("x"), None, None));
    }
}
