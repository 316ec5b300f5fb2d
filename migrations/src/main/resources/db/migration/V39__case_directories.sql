-- Where the agents of a case work.
ALTER TABLE suite_case ADD COLUMN workspace_subdir text;
COMMENT ON COLUMN suite_case.workspace_subdir IS 'Directory below the workspace in which command agents work; null: the workspace itself.';
