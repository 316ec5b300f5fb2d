-- Custom strategies that a worker has, so that campaigns that name them can be checked.
ALTER TABLE worker ADD COLUMN strategies text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN worker.strategies IS 'Names of the custom strategies that it has.';
