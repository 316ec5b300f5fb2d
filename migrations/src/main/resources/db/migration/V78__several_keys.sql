-- A provider may have several keys. Each is refused, drained and probed for itself.
CREATE TABLE provider_key (
    provider text        NOT NULL,
    key_name text        NOT NULL,
    state    text        NOT NULL CONSTRAINT provider_key_state CHECK (state IN ('enabled', 'draining')),
    reason   text        NOT NULL,
    who      text        NOT NULL,
    since    timestamptz NOT NULL,
    PRIMARY KEY (provider, key_name)
);
COMMENT ON TABLE provider_key IS 'What people decided of keys of providers. A key that is not here is enabled.';
COMMENT ON COLUMN provider_key.provider IS 'The provider.';
COMMENT ON COLUMN provider_key.key_name IS 'What people call the key.';
COMMENT ON COLUMN provider_key.state IS 'enabled: it may be used; draining: nothing new is sent with it.';
COMMENT ON COLUMN provider_key.reason IS 'Why, as the person said.';
COMMENT ON COLUMN provider_key.who IS 'Who decided it.';
COMMENT ON COLUMN provider_key.since IS 'From when on.';

ALTER TABLE outage ADD COLUMN asked_anew boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN outage.asked_anew IS 'Whether somebody enabled the key, or a worker began with it, and it was not probed since. Beside other keys a refused one is probed for that only, or for its quota.';

CREATE FUNCTION key_is_usable(asked text, name text, value text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN NOT EXISTS (SELECT FROM outage r WHERE r.provider = asked AND r.key = name || '/' || value)
        AND NOT EXISTS (SELECT FROM provider_key d WHERE d.provider = asked AND d.key_name = name AND d.state = 'draining');
COMMENT ON FUNCTION key_is_usable IS 'Whether a key of a provider with the value of a fingerprint is neither refused nor drained.';

CREATE FUNCTION provider_has_key(asked text, asker text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN EXISTS (
        SELECT FROM key_use u JOIN worker w ON w.worker_id = u.worker_id AND worker_is_live(w.lease_until)
        WHERE u.provider = asked AND u.worker_id <> asker AND key_is_usable(u.provider, u.key_name, u.fingerprint));
COMMENT ON FUNCTION provider_has_key(text, text) IS 'Whether a live worker but the asker has a key of a provider that is neither refused nor drained.';

CREATE OR REPLACE FUNCTION provider_has_key(asked text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN provider_has_key(asked, '');
COMMENT ON FUNCTION provider_has_key(text) IS 'Whether a live worker has a key of a provider that is neither refused nor drained.';
