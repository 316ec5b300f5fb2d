-- A branch that a rule for ties took did not win. Builds that do not know the column write no ties, and count them as wins.
ALTER TABLE trial ADD COLUMN tied boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN trial.tied IS 'Whether several branches were as good as each other, and a rule for ties chose: it is no win. False in trials that were recorded before this column.';
COMMENT ON COLUMN trial.decided IS 'Whether the strategy chose among several branches. It is a win unless the trial is tied.';
