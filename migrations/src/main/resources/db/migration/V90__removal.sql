-- Removal of many campaigns: what is asked for each of them has an index, and the ledger of one may stay when it is gone.
CREATE INDEX campaign_ended ON campaign (state, changed_at)
    WHERE state IN ('COMPLETED', 'CANCELLED', 'FAILED') AND deleted_at IS NULL;
COMMENT ON INDEX campaign_ended IS 'Finds the campaigns that ended long ago, for the retention.';
CREATE INDEX campaign_by_suite ON campaign (suite_id);
COMMENT ON INDEX campaign_by_suite IS 'Whether another campaign uses a suite.';
CREATE INDEX evaluation_by_continued ON evaluation (continues_id) WHERE continues_id IS NOT NULL;
COMMENT ON INDEX evaluation_by_continued IS 'Whether an evaluation is continued: such a one is not removed.';

CREATE TABLE kept_ledger (
    campaign_id  text PRIMARY KEY,
    name         text NOT NULL,
    goes_at      timestamptz NOT NULL
);
COMMENT ON TABLE kept_ledger IS 'Campaigns that are removed and whose rows of the ledger are left.';
COMMENT ON COLUMN kept_ledger.campaign_id IS 'The campaign that was.';
COMMENT ON COLUMN kept_ledger.name IS 'Its name.';
COMMENT ON COLUMN kept_ledger.goes_at IS 'When its rows of the ledger go.';
CREATE INDEX kept_ledger_by_time ON kept_ledger (goes_at);
COMMENT ON INDEX kept_ledger_by_time IS 'Finds the ledgers that are to go.';
ALTER TABLE ledger DROP CONSTRAINT ledger_campaign_id_fkey;

-- A fiftieth of a large table is enough to make room again, where the default waits for a fifth.
ALTER TABLE outcome SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE trial SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE cell SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE judge_call SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE ledger SET (autovacuum_vacuum_scale_factor = 0.02);

-- Nobody finds a deleted campaign, here neither.
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
LEFT JOIN trial t USING (campaign_id, ordinal)
WHERE c.deleted_at IS NULL;
