-- Re-runs that replace evidence: every cell of a branch is asked again, passed ones too.
CREATE TABLE whole_rerun (
    campaign_id   text NOT NULL REFERENCES campaign,
    rerun         integer NOT NULL CHECK (rerun > 0),
    branch_index  integer NOT NULL CHECK (branch_index >= 0),
    PRIMARY KEY (campaign_id, rerun, branch_index)
);
COMMENT ON TABLE whole_rerun IS 'Branches of which a re-run asked every cell again: draws of before no longer count. Any other re-run leaves the first draw in force.';
COMMENT ON COLUMN whole_rerun.campaign_id IS 'The campaign.';
COMMENT ON COLUMN whole_rerun.rerun IS 'Which re-run of the campaign it was, from 1.';
COMMENT ON COLUMN whole_rerun.branch_index IS 'The branch, from 0.';
