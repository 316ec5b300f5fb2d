-- What the tools of branches may reach, as each worker allows it.
ALTER TABLE worker ADD COLUMN tools jsonb NOT NULL DEFAULT '{"addresses": [], "commands": []}';
COMMENT ON COLUMN worker.tools IS 'Addresses and commands that its operator allows to tools, with the names of variables, never their values.';
