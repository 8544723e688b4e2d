//! Why a rental ended: a closed list, the same as the column's.

/// Why a rental ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The tenant ended it, or its command finished.
    Tenant,
    /// The provider withdrew the node.
    Provider,
    /// The market gave its devices to somebody with a better claim.
    Preempted,
    /// It did not become usable in time. Nothing was charged.
    ProvisioningTimeout,
    /// The node could not start it. Nothing was charged.
    StartFailed,
    /// Its node fell silent. Charged to the last good heartbeat.
    NodeLost,
    /// One of its devices failed.
    DeviceFault,
    /// The job's budget is spent.
    Budget,
    /// It reached the duration that the tenant set.
    MaxDuration,
    /// It reached the spend that the tenant set.
    MaxSpend,
    /// Nobody used it.
    Idle,
    /// The wallet ran dry.
    Balance,
    /// An operator ended it.
    Admin,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [Self; 13] = [
        Self::Tenant,
        Self::Provider,
        Self::Preempted,
        Self::ProvisioningTimeout,
        Self::StartFailed,
        Self::NodeLost,
        Self::DeviceFault,
        Self::Budget,
        Self::MaxDuration,
        Self::MaxSpend,
        Self::Idle,
        Self::Balance,
        Self::Admin,
    ];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tenant => "tenant",
            Self::Provider => "provider",
            Self::Preempted => "preempted",
            Self::ProvisioningTimeout => "provisioning_timeout",
            Self::StartFailed => "start_failed",
            Self::NodeLost => "node_lost",
            Self::DeviceFault => "device_fault",
            Self::Budget => "budget",
            Self::MaxDuration => "max_duration",
            Self::MaxSpend => "max_spend",
            Self::Idle => "idle",
            Self::Balance => "balance",
            Self::Admin => "admin",
        }
    }

    /// The reason of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}
