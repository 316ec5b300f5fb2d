-- A submission that a client sends again finds the campaign that it made the first time.
ALTER TABLE campaign ADD COLUMN idempotency_key text UNIQUE CHECK (length(idempotency_key) BETWEEN 1 AND 255);
COMMENT ON COLUMN campaign.idempotency_key IS 'What the client called the submission; null: it gave no name.';
