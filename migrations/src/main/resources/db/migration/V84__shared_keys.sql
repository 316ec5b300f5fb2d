-- A key that others use, too: what its answers say is left is charged once.
ALTER TABLE limit_spending ADD COLUMN shared_at timestamptz NOT NULL DEFAULT 'epoch';
COMMENT ON COLUMN limit_spending.shared_at IS 'When the use of others, which answers show, was last charged. What a worker was told before had it not in.';

COMMENT ON COLUMN pool_throttle.account IS 'What the provider counts for. The number of calls is that of the account default, for all accounts together; a block is of each account.';

COMMENT ON COLUMN limit_change.name IS 'What changed: a limit, as it is called in the settings, or key/ and the name of a key.';
COMMENT ON COLUMN limit_change.why IS 'configured: the settings of workers; manual: a person changed a limit; key: a key is used again, or no longer.';
COMMENT ON COLUMN limit_change.reason IS 'Why, in the words of a person; AUTH or QUOTA of a key that its provider refuses; null: nothing was said.';
