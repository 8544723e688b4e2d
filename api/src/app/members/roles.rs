//! Who may give whom which role. Pure.

use crate::app::Role;

/// A change of one person's membership: from no role to a role, to another role, or to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The role of the person who makes the change.
    pub by: Role,
    /// Whether the person changes its own membership.
    pub own: bool,
    /// The role before.
    pub from: Option<Role>,
    /// The role after.
    pub to: Option<Role>,
    /// Owners of the organisation before.
    pub owners: i64,
}

/// Why a membership stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RoleRefused {
    /// Only admins and owners change memberships; everybody may leave.
    #[error("this needs the role of admin or owner; you can only leave the organisation")]
    AdminsOnly,
    /// Admins cannot make owners, nor change what owners are.
    #[error("only an owner makes or unmakes owners")]
    OwnersOnly,
    /// An organisation without an owner could never get one again.
    #[error("an organisation needs an owner; make somebody else an owner first")]
    LastOwner,
}

/// Whether the change is allowed.
pub fn check(change: Change) -> Result<(), RoleRefused> {
    let Change { by, own, from, to, owners } = change;
    let leaves = own && to.is_none();
    if by < Role::Admin && !leaves {
        return Err(RoleRefused::AdminsOnly);
    }
    let owner = Some(Role::Owner);
    if (from == owner || to == owner) && by != Role::Owner {
        return Err(RoleRefused::OwnersOnly);
    }
    if from == owner && to != owner && owners <= 1 {
        return Err(RoleRefused::LastOwner);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table is the specification.
    #[test]
    fn roles_are_given_by_these_rules() {
        use Role::{Admin, Billing, Member, Owner, Viewer};
        use RoleRefused::{AdminsOnly, LastOwner, OwnersOnly};
        let cases = [
            // by, own, from, to, owners, verdict
            (Admin, false, None, Some(Member), 1, Ok(())),
            (Admin, false, None, Some(Admin), 1, Ok(())),
            (Admin, false, None, Some(Owner), 1, Err(OwnersOnly)),
            (Admin, true, Some(Admin), Some(Owner), 1, Err(OwnersOnly)),
            (Admin, false, Some(Owner), Some(Viewer), 2, Err(OwnersOnly)),
            (Admin, false, Some(Owner), None, 2, Err(OwnersOnly)),
            (Admin, false, Some(Viewer), None, 1, Ok(())),
            (Owner, false, Some(Admin), Some(Owner), 1, Ok(())),
            (Owner, false, Some(Owner), Some(Admin), 2, Ok(())),
            (Owner, true, Some(Owner), Some(Admin), 2, Ok(())),
            (Owner, true, Some(Owner), Some(Admin), 1, Err(LastOwner)),
            (Owner, true, Some(Owner), None, 1, Err(LastOwner)),
            (Owner, true, Some(Owner), Some(Owner), 1, Ok(())),
            (Viewer, true, Some(Viewer), None, 1, Ok(())),
            (Viewer, true, Some(Viewer), Some(Admin), 1, Err(AdminsOnly)),
            (Member, false, Some(Viewer), None, 1, Err(AdminsOnly)),
            (Billing, false, None, Some(Viewer), 1, Err(AdminsOnly)),
        ];
        for (by, own, from, to, owners, verdict) in cases {
            let change = Change { by, own, from, to, owners };
            assert_eq!(check(change), verdict, "{change:?}");
        }
    }
}
