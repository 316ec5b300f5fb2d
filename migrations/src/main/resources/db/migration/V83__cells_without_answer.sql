-- Whoever watches a campaign has its errors and skipped cells counted each few seconds, among millions of outcomes.
CREATE INDEX outcome_without_answer ON outcome (campaign_id, status, error_code, finished_at) INCLUDE (epoch)
    WHERE status IN ('MODEL_ERROR', 'TIMED_OUT', 'BUDGET_SKIPPED');
COMMENT ON INDEX outcome_without_answer IS 'Counts the errors and the skipped cells of a campaign, and finds the newest error of each code.';
