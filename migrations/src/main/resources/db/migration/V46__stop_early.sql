-- Stopping early. No part of the definition, and no status of its own: the build before reads campaigns and outcomes as it always did.
ALTER TABLE campaign ADD COLUMN stop text NOT NULL DEFAULT 'none' CHECK (stop IN ('none', 'settled', 'sure')),
    ADD COLUMN extensions integer[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN campaign.stop IS 'When it stops asking: none (never), settled (nothing left could change the verdict), sure (the gate''s rule is surely decided).';
COMMENT ON COLUMN campaign.extensions IS 'By how many trials each extension made it longer, in the order in which they came.';

ALTER TABLE outcome ADD COLUMN not_needed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN outcome.not_needed IS 'With status CANCELLED: nobody was asked, since the campaign had stopped early. People read the status NOT_NEEDED. Without meaning beside another status.';

ALTER TABLE trial ADD COLUMN not_needed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN trial.not_needed IS 'Whether it lacks nothing but cells that were not needed in its epoch: nothing is open, and nothing was selected.';

ALTER TABLE progress ADD COLUMN cells_not_needed bigint NOT NULL DEFAULT 0,
    ADD COLUMN trials_not_needed bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN progress.cells_not_needed IS 'Cells that were not asked, in the epoch that the shard not-needed-EPOCH names; those of an earlier epoch are open again.';
COMMENT ON COLUMN progress.trials_not_needed IS 'Trials that lack nothing but such cells.';

CREATE OR REPLACE VIEW results AS
SELECT c.campaign_id, c.name AS campaign, k.case_id, b.branch_id, o.trial,
       CASE WHEN o.not_needed AND o.status = 'CANCELLED' THEN 'NOT_NEEDED' ELSE o.status END AS status, o.passed,
       t.selected_index = o.branch_index AS selected, coalesce(t.decided, false) AS decided,
       o.response, o.total_tokens, o.cost_usd, o.latency_ms, o.attempts, o.error_code, o.error_message,
       b.provider, b.model, k.tags, o.finished_at
FROM outcome o
JOIN campaign c USING (campaign_id)
JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = o.case_index
JOIN campaign_branch b USING (campaign_id, branch_index)
LEFT JOIN trial t USING (campaign_id, ordinal);
