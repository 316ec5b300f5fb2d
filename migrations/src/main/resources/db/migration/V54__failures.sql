-- The newest failures of a campaign, which its page asks for every few seconds while it runs.
CREATE INDEX outcome_failed ON outcome (campaign_id, finished_at, ordinal, branch_index) WHERE NOT passed;
COMMENT ON INDEX outcome_failed IS 'Finds the failures of a campaign that were recorded last, among millions of outcomes.';
