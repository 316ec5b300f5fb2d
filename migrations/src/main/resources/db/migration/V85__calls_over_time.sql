-- How many calls of a campaign are in flight, looked at as it runs: cells that end say nothing of calls that take long.
ALTER TABLE series ADD COLUMN samples bigint NOT NULL DEFAULT 0, ADD COLUMN calls bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN series.samples IS 'How often its calls in flight were counted in the span; 0: never, as by builds that did not.';
COMMENT ON COLUMN series.calls IS 'Sum of these counts, each over all workers; over samples: how many were in flight.';
COMMENT ON COLUMN series.busy_ms IS 'Sum of the latencies of its cells, in milliseconds.';
