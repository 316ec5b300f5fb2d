-- What a row of the audit is about, and requests that were refused: many alike are one row.
ALTER TABLE audit
    ADD COLUMN object text,
    ADD COLUMN refused boolean NOT NULL DEFAULT false,
    ADD COLUMN repeated bigint NOT NULL DEFAULT 0 CHECK (repeated >= 0);
COMMENT ON TABLE audit IS 'Requests and commands that change something, written before they do; and refused requests, written after.';
COMMENT ON COLUMN audit.actor IS 'The name of a token; local: somebody on the server''s machine; unknown: a request without a valid token; else who ran a command.';
COMMENT ON COLUMN audit.object IS 'The id that was made, or that the request names; null: none, or the row is older than this column.';
COMMENT ON COLUMN audit.refused IS 'Whether the answer was 401, 403 or 429.';
COMMENT ON COLUMN audit.repeated IS 'Further refused requests of the same origin that are counted here instead of in rows of their own.';
-- Pages go by time, the newest first, also of one author, of one object, and of what was refused.
CREATE INDEX audit_at ON audit (at, audit_id);
CREATE INDEX audit_actor ON audit (actor, at, audit_id);
CREATE INDEX audit_object ON audit (object, at, audit_id) WHERE object IS NOT NULL;
CREATE INDEX audit_refused ON audit (refused, at, audit_id);
COMMENT ON INDEX audit_at IS 'Pages of the audit, newest first.';
COMMENT ON INDEX audit_actor IS 'Pages of the audit of one author.';
COMMENT ON INDEX audit_object IS 'Pages of the audit of one object.';
COMMENT ON INDEX audit_refused IS 'Pages of the audit of what was refused, or was not.';
