-- Permits to have calls in flight, leased by workers from a pool for each campaign and each provider.
CREATE TABLE permit_lease (
    pool          text NOT NULL,
    worker_id     text NOT NULL REFERENCES worker,
    granted       integer NOT NULL CHECK (granted >= 0),
    wanted        integer NOT NULL CHECK (wanted >= 0),
    PRIMARY KEY (pool, worker_id)
);
COMMENT ON TABLE permit_lease IS 'Permits that workers hold; they count while the worker''s lease has not lapsed.';
COMMENT ON COLUMN permit_lease.pool IS 'campaign/ID, whose size is the campaign''s max_concurrent, or provider/NAME, whose size is the least maxConcurrent that a live worker gives it.';
COMMENT ON COLUMN permit_lease.worker_id IS 'Who holds them.';
COMMENT ON COLUMN permit_lease.granted IS 'Permits that it holds, used or not.';
COMMENT ON COLUMN permit_lease.wanted IS 'Permits that it could use when it asked last.';
