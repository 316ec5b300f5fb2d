-- Who revoked a token, and whether that is for good: the token of a server's environment may come back.
ALTER TABLE api_token ADD COLUMN revoked_by text, ADD COLUMN revoked_why text CHECK (revoked_why IN ('rotation', 'person'));
-- Until now nothing was noted, so that these may come back.
UPDATE api_token SET revoked_why = 'rotation' WHERE revoked_at IS NOT NULL;
ALTER TABLE api_token ADD CHECK ((revoked_at IS NULL) = (revoked_why IS NULL));
COMMENT ON COLUMN api_token.revoked_by IS 'Who revoked it; null: nobody did, or before this was noted.';
COMMENT ON COLUMN api_token.revoked_why IS 'rotation: a server was started with another one, or with none; person: somebody said so.';
