-- Who may ask a server that others can reach, and what they changed.
CREATE TABLE api_token (
    name        text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
    token_hash  bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    scope       text NOT NULL CHECK (scope IN ('read', 'run', 'admin')),
    created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at  timestamptz,
    revoked_at  timestamptz
);
COMMENT ON TABLE api_token IS 'Tokens of the API. None is stored itself; none is ever deleted, so that names in the audit stay clear.';
COMMENT ON COLUMN api_token.name IS 'What people call it; never used again.';
COMMENT ON COLUMN api_token.token_hash IS 'SHA-256 of the token.';
COMMENT ON COLUMN api_token.scope IS 'What it allows: read, run (also submits and steers), admin (also reads the audit).';
COMMENT ON COLUMN api_token.created_at IS 'When it was made.';
COMMENT ON COLUMN api_token.expires_at IS 'From when on it is refused; null: never.';
COMMENT ON COLUMN api_token.revoked_at IS 'From when on it is refused because somebody said so; null: nobody did.';

CREATE TABLE audit (
    audit_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor     text NOT NULL,
    action    text NOT NULL,
    origin    text NOT NULL,
    status    integer
);
COMMENT ON TABLE audit IS 'Requests and commands that change something, written before they do.';
COMMENT ON COLUMN audit.audit_id IS 'Grows with time.';
COMMENT ON SEQUENCE audit_audit_id_seq IS 'Numbers the rows of the audit.';
COMMENT ON COLUMN audit.at IS 'When it was asked for.';
COMMENT ON COLUMN audit.actor IS 'The name of a token; local: somebody on the server''s machine; else who ran a command.';
COMMENT ON COLUMN audit.action IS 'Method and address, or the command.';
COMMENT ON COLUMN audit.origin IS 'Address of the client, or what was started.';
COMMENT ON COLUMN audit.status IS 'HTTP status of the answer; null: of a command, or the server was killed before it answered.';
