//! The environment of a rental's processes and their home: nothing of the agent's, and what a program expects to find.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, chown, fchown};
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
pub(super) fn of(tag: u32, order: &Order, home: &Path) -> Vec<Variable> {
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
        ("USER", "tenant".to_owned()),
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

/// An account without a name has no name to prompt with.
const SHELL_START: &str = "PS1='\\[\\e[1m\\]$USER\\[\\e[0m\\]@\\h:\\w\\$ '\n";

/// Makes the home, with what a shell starts from. What is there already stays, whatever the tenant made of it.
pub(super) fn furnish(home: &Path, account: Account) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(home)?;
    let root = nix::unistd::Uid::effective().is_root();
    if root {
        chown(home, Some(account.uid), Some(account.gid))?;
    }
    // Made anew or not at all: a link that the tenant put there is not followed.
    let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(home.join(".bashrc"));
    match made {
        Ok(mut file) => {
            file.write_all(SHELL_START.as_bytes())?;
            if root { fchown(&file, Some(account.uid), Some(account.gid)) } else { Ok(()) }
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
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
        let environment = of(1, &order, Path::new("/home"));
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
    #[test]
    fn a_home_is_furnished_once_and_links_in_it_are_not_followed() {
        let root = std::env::temp_dir().join(format!("souk-home-{}", std::process::id()));
        let (home, elsewhere) = (root.join("home"), root.join("elsewhere"));
        let account = Account {
            uid: nix::unistd::Uid::effective().as_raw(),
            gid: nix::unistd::Gid::effective().as_raw(),
            own: true,
        };
        furnish(&home, account).expect("a home");
        assert_eq!(fs::read_to_string(home.join(".bashrc")).expect("a file"), SHELL_START);
        fs::remove_file(home.join(".bashrc")).expect("removed");
        std::os::unix::fs::symlink(&elsewhere, home.join(".bashrc")).expect("a link");
        furnish(&home, account).expect("as it is");
        assert!(!elsewhere.exists(), "the link was followed");
        fs::remove_dir_all(root).expect("removed");
    }
}
