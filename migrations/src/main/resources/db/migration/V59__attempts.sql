-- An attempt is counted with its first request, and given back where a rule says so.
ALTER TABLE cell ADD COLUMN lost_attempts integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN cell.lost_attempts IS 'How many of its attempts began on a worker whose lease lapsed: up to four come on top of the limit.';
COMMENT ON COLUMN cell.attempts IS 'Attempts that have begun, without those that were given back.';

ALTER TABLE ledger ADD COLUMN no_attempt text;
ALTER TABLE ledger ADD CONSTRAINT ledger_no_attempt CHECK (no_attempt IN ('STOPPED', 'UNSENT')) NOT VALID;
COMMENT ON COLUMN ledger.no_attempt IS 'Why this request ended an attempt that does not count: STOPPED, its cell was stopped in good order; UNSENT, it was not sent. Null: the attempt counts.';
