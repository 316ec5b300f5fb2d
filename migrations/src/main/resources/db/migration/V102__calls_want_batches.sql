-- First calls of judges and graders may go out in batches of their providers, too.
ALTER TABLE cell ADD COLUMN wants_batch boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN cell.wants_batch IS 'Whether the call of a judge or grader goes out with the next batch of its provider; its trial waits meanwhile.';

CREATE INDEX provider_batch_by_state ON provider_batch (state, created_at DESC, id);
