-- The results as people ask for them (docs/results-store.md).
CREATE VIEW results AS
SELECT c.campaign_id, c.name AS campaign, k.case_id, b.branch_id, o.trial, o.status, o.passed,
       t.selected_index = o.branch_index AS selected, coalesce(t.decided, false) AS decided,
       o.response, o.total_tokens, o.cost_usd, o.latency_ms, o.attempts, o.error_code, o.error_message,
       b.provider, b.model, k.tags, o.finished_at
FROM outcome o
JOIN campaign c USING (campaign_id)
JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = o.case_index
JOIN campaign_branch b USING (campaign_id, branch_index)
LEFT JOIN trial t USING (campaign_id, ordinal);
COMMENT ON VIEW results IS 'One row per outcome, with the names that users gave.';

CREATE VIEW campaign_spend AS
SELECT campaign_id,
       sum(cost_usd) FILTER (WHERE state IN ('ANSWERED', 'FAILED')) AS settled_usd,
       sum(reserved_usd) FILTER (WHERE state = 'SENT') AS reserved_usd,
       sum(reserved_usd) FILTER (WHERE state = 'UNKNOWN') AS unknown_usd,
       count(*) AS requests,
       count(*) FILTER (WHERE state = 'UNKNOWN') AS unknown_requests
FROM ledger
GROUP BY campaign_id;
COMMENT ON VIEW campaign_spend IS 'What each campaign spent, has reserved, and may have spent without knowing.';
