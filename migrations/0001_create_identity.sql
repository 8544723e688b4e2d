-- Who is who: users, their organisations, and every secret a caller can present (stored as hashes only).

CREATE TABLE users (
    id            UUID PRIMARY KEY,
    email         TEXT NOT NULL,
    display_name  TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    is_operator   BOOLEAN NOT NULL DEFAULT FALSE,
    created_at    TIMESTAMPTZ NOT NULL,
    version       BIGINT NOT NULL DEFAULT 1,
    CONSTRAINT users_email_shape CHECK (email = lower(email) AND position('@' IN email) > 1 AND length(email) <= 254)
);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE organisations (
    id         UUID PRIMARY KEY,
    name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    currency   TEXT NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    -- The last warning about the wallet's runway that was given; none while there is nothing to warn of.
    runway_warning TEXT CHECK (runway_warning IN ('24h', '1h', '10min')),
    created_at TIMESTAMPTZ NOT NULL,
    version    BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX organisations_warned ON organisations (id) WHERE runway_warning IS NOT NULL;

CREATE TABLE memberships (
    organisation_id UUID NOT NULL REFERENCES organisations (id),
    user_id         UUID NOT NULL REFERENCES users (id),
    role            TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'billing', 'viewer')),
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organisation_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

-- Access tokens are signed with the newest key; a retired key still verifies until it is removed.
CREATE TABLE signing_keys (
    kid          TEXT PRIMARY KEY,
    private_der  BYTEA NOT NULL,
    public_raw   BYTEA NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    retired_at   TIMESTAMPTZ
);

-- A family is one log-in; every refresh consumes one row and adds the next. A consumed token that comes
-- back is theft: the whole family is revoked.
CREATE TABLE refresh_tokens (
    id              UUID PRIMARY KEY,
    family_id       UUID NOT NULL,
    -- The token that was consumed for this one; several of one parent when an answer was lost on its way.
    parent_id       UUID,
    user_id         UUID NOT NULL REFERENCES users (id),
    organisation_id UUID NOT NULL REFERENCES organisations (id),
    token_hash      BYTEA NOT NULL UNIQUE,
    created_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ NOT NULL,
    consumed_at     TIMESTAMPTZ,
    revoked_at      TIMESTAMPTZ,
    -- The access token handed out with this one is refused although it has not expired.
    access_refused_at TIMESTAMPTZ
);
CREATE INDEX refresh_tokens_by_family ON refresh_tokens (family_id);
CREATE INDEX refresh_tokens_by_user ON refresh_tokens (user_id, organisation_id, created_at);
CREATE INDEX refresh_tokens_refused ON refresh_tokens (created_at) WHERE access_refused_at IS NOT NULL;
CREATE INDEX refresh_tokens_by_expiry ON refresh_tokens (expires_at);

CREATE TABLE api_keys (
    id              UUID PRIMARY KEY,
    organisation_id UUID NOT NULL REFERENCES organisations (id),
    created_by      UUID NOT NULL REFERENCES users (id),
    name            TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    prefix          TEXT NOT NULL,
    secret_hash     BYTEA NOT NULL UNIQUE,
    scopes          TEXT[] NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    expires_at      TIMESTAMPTZ,
    last_used_at    TIMESTAMPTZ,
    revoked_at      TIMESTAMPTZ
);
CREATE INDEX api_keys_by_organisation ON api_keys (organisation_id, id);

CREATE TABLE ssh_keys (
    id              UUID PRIMARY KEY,
    organisation_id UUID NOT NULL REFERENCES organisations (id),
    created_by      UUID NOT NULL REFERENCES users (id),
    name            TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    public_key      TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    UNIQUE (organisation_id, fingerprint)
);

-- One row per key that moved money or capacity, in the transaction of its effect. The same key with another
-- body is refused; the same key with the same body gets the stored reply, for two days.
CREATE TABLE idempotency_records (
    organisation_id UUID NOT NULL,
    key             TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
    operation       TEXT NOT NULL,
    fingerprint     BYTEA NOT NULL,
    status          INTEGER NOT NULL,
    reply           TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (organisation_id, key)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);
