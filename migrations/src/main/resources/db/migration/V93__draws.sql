-- Where answers come from: asked here, copied from a stored answer, or recorded by another tool.
ALTER TABLE outcome ADD COLUMN source text NOT NULL DEFAULT 'LIVE',
    ADD COLUMN origin_campaign text,
    ADD COLUMN origin_case text,
    ADD COLUMN origin_branch text,
    ADD COLUMN origin_trial integer,
    ADD COLUMN origin_draw integer,
    ADD COLUMN answered_at timestamptz,
    ADD COLUMN answer_hash text,
    ADD COLUMN request_key text,
    ADD COLUMN request_rank integer;
ALTER TABLE outcome ADD CONSTRAINT outcome_source_check CHECK (source IN ('LIVE', 'REUSED', 'IMPORTED')) NOT VALID;
COMMENT ON COLUMN outcome.source IS 'LIVE: asked here; REUSED: a copy of a stored answer; IMPORTED: another tool asked.';
COMMENT ON COLUMN outcome.origin_campaign IS 'Of a copy: the campaign that first recorded the answer, which may be deleted; null: this outcome is the first record.';
COMMENT ON COLUMN outcome.origin_case IS 'The case there.';
COMMENT ON COLUMN outcome.origin_branch IS 'The branch there.';
COMMENT ON COLUMN outcome.origin_trial IS 'The repetition there, from 1.';
COMMENT ON COLUMN outcome.origin_draw IS 'Which answer of that cell, from 0: re-runs ask a cell again.';
COMMENT ON COLUMN outcome.answered_at IS 'When the answer was first given; null: an earlier build recorded it, and finished_at stands for it.';
COMMENT ON COLUMN outcome.answer_hash IS 'SHA-256 of messages and response as canonical JSON; null: no answer, or an earlier build recorded it.';
COMMENT ON COLUMN outcome.request_key IS 'SHA-256 of all that decides the request; null: the answer cannot be reused.';
COMMENT ON COLUMN outcome.request_rank IS 'Place of the cell among those of its trial with the same key, from 0.';

-- A campaign holds no answer twice. The index also finds the copies of an answer.
CREATE UNIQUE INDEX outcome_by_origin
    ON outcome (origin_campaign, origin_case, origin_branch, origin_trial, origin_draw, campaign_id)
    WHERE origin_campaign IS NOT NULL;
CREATE INDEX outcome_by_request ON outcome (request_key, request_rank, trial) WHERE request_key IS NOT NULL;

CREATE OR REPLACE VIEW results AS
SELECT c.campaign_id, c.name AS campaign, k.case_id, b.branch_id, o.trial,
       CASE WHEN o.not_needed AND o.status = 'CANCELLED' THEN 'NOT_NEEDED' ELSE o.status END AS status, o.passed,
       t.selected_index = o.branch_index AS selected, coalesce(t.decided, false) AS decided,
       o.response, o.total_tokens, o.cost_usd, o.latency_ms, o.attempts, o.error_code, o.error_message,
       b.provider, b.model, k.tags, o.finished_at,
       o.source, o.origin_campaign, o.origin_case, o.origin_branch, o.origin_trial, o.origin_draw,
       coalesce(o.answered_at, o.finished_at) AS answered_at
FROM outcome o
JOIN campaign c USING (campaign_id)
JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = o.case_index
JOIN campaign_branch b USING (campaign_id, branch_index)
LEFT JOIN trial t USING (campaign_id, ordinal)
WHERE c.deleted_at IS NULL;

-- A re-run that only grades again leaves a mark with what it replaced (graded_again): it asked for no other answer.
CREATE FUNCTION draw_number(of_campaign text, of_ordinal integer, of_branch integer) RETURNS integer
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (
        SELECT count(*)::integer
        FROM campaign c
        CROSS JOIN LATERAL generate_series(1, c.reruns) AS again (rerun)
        JOIN replaced_result p ON p.campaign_id = c.campaign_id AND p.rerun = again.rerun AND p.kind = 'outcome'
            AND p.ordinal = of_ordinal AND p.member = of_branch AND NOT jsonb_exists(p.result, 'graded_again')
        WHERE c.campaign_id = of_campaign);
COMMENT ON FUNCTION draw_number IS 'Which answer of its cell an outcome in force is, from 0: how many were asked for before it and replaced.';

CREATE VIEW evidence AS
SELECT r.*
FROM results r
WHERE r.origin_campaign IS NULL
   OR NOT EXISTS (
          SELECT 1 FROM outcome older
          JOIN campaign holder ON holder.campaign_id = older.campaign_id AND holder.deleted_at IS NULL
          WHERE (older.origin_campaign, older.origin_case, older.origin_branch, older.origin_trial, older.origin_draw)
              = (r.origin_campaign, r.origin_case, r.origin_branch, r.origin_trial, r.origin_draw)
            AND (older.finished_at, older.campaign_id) < (r.finished_at, r.campaign_id))
      AND NOT EXISTS (
          SELECT 1
          FROM campaign c
          JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_id = r.origin_case
          JOIN campaign_branch b ON b.campaign_id = c.campaign_id AND b.branch_id = r.origin_branch
          JOIN outcome first ON first.campaign_id = c.campaign_id AND first.branch_index = b.branch_index
              AND first.ordinal = (r.origin_trial - 1) * c.case_count + k.case_index
          WHERE c.campaign_id = r.origin_campaign AND c.deleted_at IS NULL
            AND r.origin_draw = draw_number(first.campaign_id, first.ordinal, first.branch_index));
COMMENT ON VIEW evidence IS 'The view results with each answer once: where it was first recorded, else as its oldest copy.';
