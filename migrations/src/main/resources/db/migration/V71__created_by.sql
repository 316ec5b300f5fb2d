-- Who submitted a campaign or an evaluation, and of what they were warned. And a reason may stand where an operator ended its workflow.
ALTER TABLE campaign ADD COLUMN created_by text, ADD COLUMN warnings text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN campaign.created_by IS 'The name of a token; local: somebody on the server''s machine; command: a command that brought its own server; null: it is older than this column.';
COMMENT ON COLUMN campaign.failure_reason IS 'Why the campaign could not go on; null unless FAILED, PAUSED since PostgreSQL refuses its rows, or CANCELLED since an operator ended its workflow in Temporal.';
COMMENT ON COLUMN campaign.warnings IS 'Codes of what its author was warned of when it was submitted, such as JUDGE_UNFENCED.';
