-- Checks that models grade. An answer waits here for its grades, so that its outcome is written once, with its verdict.
CREATE TABLE ungraded_outcome (
    campaign_id   text NOT NULL REFERENCES campaign,
    ordinal       integer NOT NULL CHECK (ordinal >= 0),
    branch_index  integer NOT NULL CHECK (branch_index >= 0),
    outcome       jsonb NOT NULL,
    PRIMARY KEY (campaign_id, ordinal, branch_index)
);
COMMENT ON TABLE ungraded_outcome IS 'Outcomes whose answer is there and whose grades are not. Their cells are closed: nobody asks the branch again.';
COMMENT ON COLUMN ungraded_outcome.campaign_id IS 'The campaign.';
COMMENT ON COLUMN ungraded_outcome.ordinal IS 'Number of the trial: (trial - 1) * case_count + case_index.';
COMMENT ON COLUMN ungraded_outcome.branch_index IS 'The branch.';
COMMENT ON COLUMN ungraded_outcome.outcome IS 'The row that becomes one of outcome, under the names of its columns.';

-- Graders are asked as judges are.
ALTER TABLE judge_call ADD COLUMN graded_branch integer CHECK (graded_branch >= 0);
COMMENT ON COLUMN judge_call.graded_branch IS 'The branch whose response a grader read; null: a judge or a strategy asked.';
