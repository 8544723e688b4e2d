//! From a division in fractions of devices to whole devices, round after round.
//!
//! What a tenant has of a class is cut into its whole part, which it gets in every round, and the rest, which it gets in
//! some: by pseudo-deadline, as fair shares are ([`crate::fairness::deadline`]). The rests of a class add up to a whole
//! number of devices, so every deadline is met, and nobody is ever a whole device-round ahead or behind.

use crate::fairness::deadline::{Entitlement, QUANTUM, Window};

/// Accounts of whole devices against a division.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeDevices {
    /// Per class and tenant.
    classes: Vec<Vec<Account>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Account {
    whole: u32,
    /// The rest, in trillionths of a device.
    rest: i64,
    /// Rests due minus devices received for them, in trillionths.
    credit: i64,
}

impl WholeDevices {
    /// Begins with nothing owed to anybody. `devices[l][k]`: devices of class `k` for tenant `l`.
    #[must_use]
    pub fn new(devices: &[Vec<f64>]) -> Self {
        let classes = devices.first().map_or(0, Vec::len);
        let class = |class: usize| devices.iter().map(|row| account(row[class])).collect();
        Self { classes: (0..classes).map(class).collect() }
    }

    /// The devices of the next round, by tenant and class. In each class at most as many as there are.
    pub fn next_round(&mut self) -> Vec<Vec<u32>> {
        let tenants = self.classes.first().map_or(0, Vec::len);
        let mut given = vec![Vec::with_capacity(self.classes.len()); tenants];
        for class in &mut self.classes {
            for (tenant, devices) in serve(class).into_iter().enumerate() {
                given[tenant].push(devices);
            }
        }
        given
    }
}

fn serve(class: &mut [Account]) -> Vec<u32> {
    let rests: i64 = class.iter().map(|account| account.rest).sum();
    let seats = usize::try_from((rests + QUANTUM / 2) / QUANTUM).unwrap_or(0);
    let mut due: Vec<(Window, usize)> = class
        .iter()
        .enumerate()
        .filter_map(|(tenant, account)| {
            let window = Entitlement { credit: account.credit, share: account.rest }.window()?;
            Some((window, tenant))
        })
        .collect();
    due.sort();
    let mut devices: Vec<u32> = class.iter().map(|account| account.whole).collect();
    class.iter_mut().for_each(|account| account.credit += account.rest);
    for (_, tenant) in due.into_iter().take(seats) {
        class[tenant].credit -= QUANTUM;
        devices[tenant] += 1;
    }
    devices
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of devices and its fraction")]
fn account(devices: f64) -> Account {
    let devices = devices.clamp(0.0, 1e6);
    let rounded = libm::round(devices);
    let near = (devices - rounded).abs() < 1e-9;
    let whole = if near { rounded } else { libm::floor(devices) };
    #[expect(clippy::cast_precision_loss, reason = "a power of ten")]
    let rest = if near { 0.0 } else { (devices - whole) * QUANTUM as f64 };
    Account { whole: whole as u32, rest: rest as i64, credit: 0 }
}
