-- How it was decided: who may clear a pool, every round's record in a hash chain, prices, explanations.

-- The leader of a pool. A taker-over raises `fencing_token`; a writer proves its token inside its transaction.
CREATE TABLE pool_leases (
    pool_id       UUID PRIMARY KEY REFERENCES pools (id),
    holder        UUID NOT NULL,
    fencing_token BIGINT NOT NULL CHECK (fencing_token > 0),
    expires_at    TIMESTAMPTZ NOT NULL
);

-- `record` is canonical JSON of (pool, number, snapshot, rules, seed, plan); `hash` is SHA-256 over the previous
-- round's hash and the record's bytes.
CREATE TABLE rounds (
    id            UUID NOT NULL,
    pool_id       UUID NOT NULL REFERENCES pools (id),
    number        BIGINT NOT NULL CHECK (number > 0),
    cleared_at    TIMESTAMPTZ NOT NULL,
    cause         TEXT NOT NULL CHECK (cause IN ('timer', 'device_freed', 'starved', 'demand')),
    fencing_token BIGINT NOT NULL,
    plan_millis   INTEGER NOT NULL,
    applied       JSONB NOT NULL,
    summary       JSONB NOT NULL,
    record        TEXT NOT NULL,
    plan_hash     BYTEA NOT NULL,
    previous_hash BYTEA NOT NULL,
    hash          BYTEA NOT NULL,
    PRIMARY KEY (pool_id, number),
    UNIQUE (id)
);

CREATE TABLE prices (
    pool_id               UUID NOT NULL REFERENCES pools (id),
    class_id              TEXT NOT NULL REFERENCES device_classes (id),
    round_number          BIGINT NOT NULL,
    cleared_at            TIMESTAMPTZ NOT NULL,
    price_micros_per_hour BIGINT NOT NULL CHECK (price_micros_per_hour > 0),
    supply_devices        INTEGER NOT NULL,
    granted_devices       INTEGER NOT NULL,
    demanded_devices      INTEGER NOT NULL,
    PRIMARY KEY (pool_id, class_id, round_number)
);
CREATE INDEX prices_by_time ON prices (pool_id, class_id, cleared_at);

-- The latest explanation of each demand; older ones are in the rounds' records.
CREATE TABLE explanations (
    subject         TEXT PRIMARY KEY,
    organisation_id UUID NOT NULL REFERENCES organisations (id),
    pool_id         UUID NOT NULL REFERENCES pools (id),
    round_number    BIGINT NOT NULL,
    code            TEXT NOT NULL CHECK (code IN (
        'granted_entitled', 'granted_market', 'granted_on_demand', 'outbid', 'no_capacity', 'gang_does_not_fit', 'over_quota',
        'budget_paused', 'min_run_protected', 'awaiting_notice')),
    detail          JSONB NOT NULL,
    explained_at    TIMESTAMPTZ NOT NULL
);

CREATE TABLE alerts (
    id          UUID PRIMARY KEY,
    pool_id     UUID REFERENCES pools (id),
    code        TEXT NOT NULL,
    severity    TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
    message     TEXT NOT NULL,
    raised_at   TIMESTAMPTZ NOT NULL,
    resolved_at TIMESTAMPTZ
);
CREATE INDEX alerts_open ON alerts (raised_at) WHERE resolved_at IS NULL;
CREATE UNIQUE INDEX alerts_one_open ON alerts (code, coalesce(pool_id, '00000000-0000-0000-0000-000000000000')) WHERE resolved_at IS NULL;
