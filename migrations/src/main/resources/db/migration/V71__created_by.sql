-- Who submitted a campaign or an evaluation, and of what they were warned.
ALTER TABLE campaign ADD COLUMN created_by text, ADD COLUMN warnings text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN campaign.created_by IS 'The name of a token; local: somebody on the server''s machine; command: a command that brought its own server; null: it is older than this column.';
COMMENT ON COLUMN campaign.warnings IS 'Codes of what its author was warned of when it was submitted, such as JUDGE_UNFENCED.';
