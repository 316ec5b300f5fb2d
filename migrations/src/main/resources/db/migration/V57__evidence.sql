-- What counts: which cells that are done say something, and the rate of each branch as the report has it.
ALTER TABLE progress ADD COLUMN cells_unscored bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN progress.cells_unscored IS 'Of the cells that are done, the ones that were answered and of which a required check has no result.';

ALTER TABLE progress ADD COLUMN cells_unanswered bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN progress.cells_unanswered IS 'Of the cells that failed, the ones to which the provider gave no answer: they say nothing of the model.';

ALTER TABLE campaign_branch ADD COLUMN trial_rate jsonb;
COMMENT ON COLUMN campaign_branch.trial_rate IS 'The pass rate of its trials with both intervals, as the report has it; null until the campaign has completed.';
