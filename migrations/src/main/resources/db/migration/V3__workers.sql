-- Processes that run cells.
CREATE TABLE worker (
    worker_id     text PRIMARY KEY,
    host          text NOT NULL,
    pid           bigint NOT NULL,
    version       text NOT NULL,
    queues        text[] NOT NULL,
    providers     jsonb NOT NULL,
    started_at    timestamptz NOT NULL DEFAULT now(),
    lease_until   timestamptz NOT NULL
);
COMMENT ON TABLE worker IS 'A process that runs cells; alive while its lease has not lapsed.';
COMMENT ON COLUMN worker.worker_id IS 'Unique per start of a process.';
COMMENT ON COLUMN worker.host IS 'Where it runs, for people.';
COMMENT ON COLUMN worker.pid IS 'Its process id on that host, for people.';
COMMENT ON COLUMN worker.version IS 'Version of Assay.';
COMMENT ON COLUMN worker.queues IS 'Task queues that it polls.';
COMMENT ON COLUMN worker.providers IS 'Providers that it can ask: name, whether it has a key, priced models, limits.';
COMMENT ON COLUMN worker.started_at IS 'When it registered.';
COMMENT ON COLUMN worker.lease_until IS 'Until when its claims hold, unless it renews; counted from the start of PostgreSQL if that is later.';

CREATE FUNCTION store_started_at() RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN pg_postmaster_start_time();
COMMENT ON FUNCTION store_started_at IS 'When PostgreSQL started: before that nobody could renew a lease.';

CREATE FUNCTION worker_is_live(lease_until timestamptz) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN lease_until <> '-infinity'
        AND greatest(lease_until, store_started_at() + interval '30 seconds') > now();
COMMENT ON FUNCTION worker_is_live IS 'Whether a lease has not lapsed. While PostgreSQL was down nobody could renew, so a lease lasts at least 30 s from its start; -infinity is a worker that ended by itself.';
