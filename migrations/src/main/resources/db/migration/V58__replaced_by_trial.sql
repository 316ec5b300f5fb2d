-- The replaced results of a trial. A re-run joins them with the cells that it opens, which are as many as it replaced.
CREATE INDEX replaced_by_trial ON replaced_result (campaign_id, rerun, ordinal);
COMMENT ON INDEX replaced_by_trial IS 'Finds what a re-run replaced in a trial: whichever side the planner begins with, a re-run of many cells takes time that grows with their number.';
