-- Cells: who works on what, and how often it was tried. Narrow, because it is written most.
CREATE TABLE cell (
    campaign_id    text NOT NULL REFERENCES campaign,
    ordinal        integer NOT NULL CHECK (ordinal >= 0),
    kind           text NOT NULL CHECK (kind IN ('branch', 'judge')),
    member         integer NOT NULL CHECK (member >= 0),
    attempts       integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    closed_epoch   integer,
    is_final       boolean NOT NULL DEFAULT false,
    next_try_at    timestamptz,
    claim_worker   text,
    claim_epoch    integer,
    error_code     text,
    error_message  text,
    PRIMARY KEY (campaign_id, ordinal, kind, member),
    CHECK (NOT is_final OR closed_epoch IS NOT NULL)
) WITH (fillfactor = 70);
COMMENT ON TABLE cell IS 'One (campaign, case, trial, branch), or one judge call of a trial. A missing row is a cell that nobody has touched: open.';
COMMENT ON COLUMN cell.campaign_id IS 'The campaign.';
COMMENT ON COLUMN cell.ordinal IS 'Number of the trial: (trial - 1) * case_count + case_index.';
COMMENT ON COLUMN cell.kind IS 'branch: one branch''s answer; judge: one call of the judge.';
COMMENT ON COLUMN cell.member IS 'The branch''s index, or the number of the judge call in its trial, from 0.';
COMMENT ON COLUMN cell.attempts IS 'Attempts that a provider answered or that failed on the way to it; crashes do not count.';
COMMENT ON COLUMN cell.closed_epoch IS 'The campaign''s epoch in which the cell got its outcome; null while open.';
COMMENT ON COLUMN cell.is_final IS 'Whether that outcome is final; one that is not is open again in a later epoch.';
COMMENT ON COLUMN cell.next_try_at IS 'Not before; null: at once.';
COMMENT ON COLUMN cell.claim_worker IS 'The worker that works on it; null: nobody.';
COMMENT ON COLUMN cell.claim_epoch IS 'The campaign''s epoch at the claim; an older one is free to be claimed again.';
COMMENT ON COLUMN cell.error_code IS 'Why the last attempt failed; null when none did.';
COMMENT ON COLUMN cell.error_message IS 'The same for people.';
