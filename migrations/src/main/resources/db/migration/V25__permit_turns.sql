-- Evaluations come before campaigns, and workers take turns where a pool is too small for all of them.
ALTER TABLE permit_lease
    ADD COLUMN urgent integer NOT NULL DEFAULT 0,
    ADD COLUMN since timestamptz NOT NULL DEFAULT now(),
    ADD CONSTRAINT permit_lease_urgent CHECK (urgent BETWEEN 0 AND wanted);

COMMENT ON COLUMN permit_lease.urgent IS 'Of the wanted permits those for evaluations.';
COMMENT ON COLUMN permit_lease.since IS 'Since when the worker has held permits without a break, or has waited for its first.';
