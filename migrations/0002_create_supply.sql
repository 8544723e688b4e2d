-- What can be rented: pools, device classes, providers' nodes and devices, and the asks on them.

CREATE TABLE pools (
    id                   UUID PRIMARY KEY,
    name                 TEXT NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    currency             TEXT NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    share_policy         TEXT NOT NULL CHECK (share_policy IN ('finish_time_fair', 'max_min', 'equal_share', 'nash', 'makespan', 'fifo', 'sjf',
                                                                'srpt', 'las', 'themis_auction', 'oef_cooperative', 'oef_noncooperative',
                                                                'exchange')),
    tilt                 TEXT NOT NULL CHECK (tilt IN ('fair', 'fast')),
    price_rule           TEXT NOT NULL CHECK (price_rule IN ('uniform_price')),
    round_seconds        INTEGER NOT NULL CHECK (round_seconds BETWEEN 1 AND 86400),
    notice_seconds       INTEGER NOT NULL CHECK (notice_seconds BETWEEN 0 AND 86400),
    min_run_seconds      INTEGER NOT NULL CHECK (min_run_seconds BETWEEN 0 AND 86400),
    restart_seconds      INTEGER NOT NULL CHECK (restart_seconds BETWEEN 0 AND 86400),
    fee_bps              INTEGER NOT NULL CHECK (fee_bps BETWEEN 0 AND 5000),
    phi_ppm              INTEGER NOT NULL CHECK (phi_ppm BETWEEN 0 AND 1000000),
    limit_cap_micros_per_hour BIGINT NOT NULL CHECK (limit_cap_micros_per_hour > 0 AND limit_cap_micros_per_hour <= 1000000000000),
    -- The most that the weights of its jobs may add up to, in thousandths; without one it promises no finish times.
    admission_cap_milli  BIGINT CHECK (admission_cap_milli BETWEEN 1 AND 1000000000),
    created_at           TIMESTAMPTZ NOT NULL,
    version              BIGINT NOT NULL DEFAULT 1
);

-- A device class is (GPU model, memory, whole GPU or MIG profile); its id is a readable key: `a100-80gb`, `a100-80gb.1g.10gb`.
CREATE TABLE device_classes (
    id          TEXT PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9.-]{0,62}$'),
    vendor      TEXT NOT NULL,
    model       TEXT NOT NULL,
    memory_mib  BIGINT NOT NULL CHECK (memory_mib > 0),
    mig_profile TEXT,
    created_at  TIMESTAMPTZ NOT NULL
);

-- The entitlement price of a class in a pool; without a row it is the lowest interruptible floor asked there.
CREATE TABLE entitlement_prices (
    pool_id               UUID NOT NULL REFERENCES pools (id),
    class_id              TEXT NOT NULL REFERENCES device_classes (id),
    price_micros_per_hour BIGINT NOT NULL CHECK (price_micros_per_hour > 0),
    PRIMARY KEY (pool_id, class_id)
);

CREATE TABLE providers (
    id              UUID PRIMARY KEY,
    organisation_id UUID NOT NULL REFERENCES organisations (id),
    name            TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    currency        TEXT NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    created_at      TIMESTAMPTZ NOT NULL,
    version         BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX providers_by_organisation ON providers (organisation_id, id);

CREATE TABLE nodes (
    id                UUID PRIMARY KEY,
    pool_id           UUID NOT NULL REFERENCES pools (id),
    provider_id       UUID NOT NULL REFERENCES providers (id),
    name              TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    adapter           TEXT NOT NULL CHECK (adapter IN ('simulated', 'agent')),
    state             TEXT NOT NULL CHECK (state IN ('enrolling', 'verifying', 'ready', 'draining', 'lost', 'quarantined', 'retired')),
    region            TEXT NOT NULL DEFAULT 'local',
    cpu_milli         BIGINT NOT NULL CHECK (cpu_milli > 0),
    memory_mib        BIGINT NOT NULL CHECK (memory_mib > 0),
    inet_down_mbps    INTEGER NOT NULL DEFAULT 0,
    driver            TEXT,
    cuda_max          TEXT,
    nvlink            BOOLEAN NOT NULL DEFAULT FALSE,
    verified          BOOLEAN NOT NULL DEFAULT FALSE,
    reliability_ppm   INTEGER NOT NULL DEFAULT 1000000 CHECK (reliability_ppm BETWEEN 0 AND 1000000),
    public_key        BYTEA,
    heartbeat_at      TIMESTAMPTZ,
    -- When what runs there was last compared with the leases.
    reconciled_at     TIMESTAMPTZ,
    created_at        TIMESTAMPTZ NOT NULL,
    version           BIGINT NOT NULL DEFAULT 1,
    UNIQUE (provider_id, name)
);
CREATE INDEX nodes_by_pool ON nodes (pool_id, id);
CREATE UNIQUE INDEX nodes_by_public_key ON nodes (public_key) WHERE public_key IS NOT NULL;

-- One use: `used_at` is set once, in the transaction that enrols the node.
CREATE TABLE enrolment_tokens (
    id          UUID PRIMARY KEY,
    provider_id UUID NOT NULL REFERENCES providers (id),
    pool_id     UUID NOT NULL REFERENCES pools (id),
    token_hash  BYTEA NOT NULL UNIQUE,
    created_at  TIMESTAMPTZ NOT NULL,
    expires_at  TIMESTAMPTZ NOT NULL,
    used_at     TIMESTAMPTZ,
    -- Checked at commit: the token is used up first, so that only one of two enrolments goes on to add its node.
    node_id     UUID REFERENCES nodes (id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT enrolment_tokens_used CHECK ((used_at IS NULL) = (node_id IS NULL))
);
CREATE INDEX enrolment_tokens_by_provider ON enrolment_tokens (provider_id, id);

CREATE TABLE devices (
    id         UUID PRIMARY KEY,
    pool_id    UUID NOT NULL REFERENCES pools (id),
    node_id    UUID NOT NULL REFERENCES nodes (id),
    class_id   TEXT NOT NULL REFERENCES device_classes (id),
    uuid       TEXT NOT NULL,
    slot       INTEGER NOT NULL CHECK (slot >= 0),
    parent     TEXT,
    mig_start  INTEGER,
    state      TEXT NOT NULL CHECK (state IN ('free', 'leased', 'repartitioning', 'draining', 'faulty')),
    created_at TIMESTAMPTZ NOT NULL,
    version    BIGINT NOT NULL DEFAULT 1,
    UNIQUE (node_id, uuid)
);
CREATE INDEX devices_by_pool ON devices (pool_id, class_id, state);
CREATE INDEX devices_by_node ON devices (node_id, slot);

-- One live ask per node and class.
CREATE TABLE asks (
    id                    UUID PRIMARY KEY,
    pool_id               UUID NOT NULL REFERENCES pools (id),
    provider_id           UUID NOT NULL REFERENCES providers (id),
    node_id               UUID NOT NULL REFERENCES nodes (id),
    class_id              TEXT NOT NULL REFERENCES device_classes (id),
    currency              TEXT NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    price_micros_per_hour BIGINT NOT NULL CHECK (price_micros_per_hour > 0 AND price_micros_per_hour <= 1000000000000),
    floor_micros_per_hour BIGINT NOT NULL CHECK (floor_micros_per_hour > 0),
    min_chunk             INTEGER NOT NULL CHECK (min_chunk BETWEEN 1 AND 1024),
    ends_at               TIMESTAMPTZ,
    withdrawn_at          TIMESTAMPTZ,
    created_at            TIMESTAMPTZ NOT NULL,
    version               BIGINT NOT NULL DEFAULT 1,
    CONSTRAINT asks_floor_below_price CHECK (floor_micros_per_hour <= price_micros_per_hour)
);
CREATE UNIQUE INDEX asks_one_live ON asks (node_id, class_id) WHERE withdrawn_at IS NULL;
CREATE INDEX asks_by_pool ON asks (pool_id, class_id) WHERE withdrawn_at IS NULL;

-- Measured speeds per workload, class and gang: operators' figures, never a tenant's word.
CREATE TABLE profiles (
    id         UUID PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
    unit       TEXT NOT NULL CHECK (unit IN ('steps', 'gpu_hours')),
    source     TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE TABLE profile_speeds (
    profile_id               UUID NOT NULL REFERENCES profiles (id),
    class_id                 TEXT NOT NULL REFERENCES device_classes (id),
    gang                     INTEGER NOT NULL CHECK (gang BETWEEN 1 AND 1024),
    milliunits_per_second    BIGINT NOT NULL CHECK (milliunits_per_second >= 0),
    PRIMARY KEY (profile_id, class_id, gang)
);

CREATE TABLE quotes (
    id                    UUID PRIMARY KEY,
    organisation_id       UUID NOT NULL REFERENCES organisations (id),
    pool_id               UUID NOT NULL REFERENCES pools (id),
    ask_id                UUID NOT NULL REFERENCES asks (id),
    devices               INTEGER NOT NULL CHECK (devices BETWEEN 1 AND 1024),
    price_micros_per_hour BIGINT NOT NULL CHECK (price_micros_per_hour > 0),
    created_at            TIMESTAMPTZ NOT NULL,
    expires_at            TIMESTAMPTZ NOT NULL
);
CREATE INDEX quotes_by_organisation ON quotes (organisation_id, id);
