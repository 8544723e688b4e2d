-- The outbox: an event is written in the transaction of its cause, without a number; the relay numbers what is
-- committed and fans it out. `position` orders what a reader has seen: it is assigned by one relay at a time,
-- so nothing with a smaller position can appear later.

-- Written with every change, so written cheaply: who is named here is named by the rows that the event tells of, and none of
-- them is ever deleted; a row enters the indexes of its readers when it gets its number.
CREATE TABLE events (
    id              UUID PRIMARY KEY,
    position        BIGINT,
    organisation_id UUID,
    provider_id     UUID,
    pool_id         UUID,
    kind            TEXT NOT NULL,
    subject         TEXT NOT NULL,
    body            JSONB NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL,
    -- What a pool shows to everybody is nobody's in particular.
    CONSTRAINT events_public_or_private CHECK (pool_id IS NULL OR (organisation_id IS NULL AND provider_id IS NULL))
);
CREATE INDEX events_unpublished ON events (id) WHERE position IS NULL;
CREATE UNIQUE INDEX events_by_position ON events (position) WHERE position IS NOT NULL;
CREATE INDEX events_of_organisation ON events (organisation_id, position) WHERE position IS NOT NULL AND organisation_id IS NOT NULL;
CREATE INDEX events_of_provider ON events (provider_id, position) WHERE position IS NOT NULL AND provider_id IS NOT NULL;
CREATE INDEX events_of_pool ON events (pool_id, position) WHERE position IS NOT NULL AND pool_id IS NOT NULL;

CREATE TABLE relay (
    singleton BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (singleton),
    position  BIGINT NOT NULL
);
INSERT INTO relay (position) VALUES (0);
