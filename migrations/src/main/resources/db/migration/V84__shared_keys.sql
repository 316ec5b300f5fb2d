-- A key that others use, too: what its answers say is left is charged once.
ALTER TABLE limit_spending ADD COLUMN shared_at timestamptz NOT NULL DEFAULT 'epoch';
COMMENT ON COLUMN limit_spending.shared_at IS 'When the use of others, which answers show, was last charged. What a worker was told before had it not in.';

COMMENT ON COLUMN pool_throttle.account IS 'What the provider counts for. The number of calls is that of the account default, for all accounts together; a block is of each account.';
