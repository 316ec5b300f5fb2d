-- What has ended must not slow what runs: live workers are found by an index, and what they allow is read without all their settings.
CREATE OR REPLACE FUNCTION worker_is_live(lease_until timestamptz) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN lease_until > '-infinity'
        AND lease_until > CASE WHEN store_started_at() + interval '30 seconds' > now() THEN '-infinity' ELSE now() END;

CREATE INDEX worker_by_lease ON worker (lease_until) WHERE lease_until > '-infinity';
COMMENT ON INDEX worker_by_lease IS 'Finds the workers that are alive among all that ever were.';

CREATE FUNCTION worker_calls(providers jsonb, tools jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (
        SELECT coalesce(jsonb_object_agg(pool, jsonb_build_array(least, start, most)), '{}')
        FROM (
            SELECT pool, min(least) AS least, min(start) AS start, min(most) AS most
            FROM (
                SELECT 'provider/' || (p ->> 'name') AS pool, 1 AS least, (p ->> 'maxConcurrent')::integer AS start,
                       (p ->> 'maxConcurrent')::integer AS most
                FROM jsonb_array_elements(providers) AS p
                UNION ALL
                SELECT 'models/' || (p ->> 'name') || '/' || (l ->> 'models'),
                       coalesce(l ->> 'concurrentMin', l ->> 'concurrent')::integer,
                       coalesce(l ->> 'concurrentStart', l ->> 'concurrent')::integer, (l ->> 'concurrent')::integer
                FROM jsonb_array_elements(providers) AS p CROSS JOIN jsonb_array_elements(p -> 'limits') AS l
                WHERE l ->> 'concurrent' IS NOT NULL
                UNION ALL
                SELECT 'provider/http/' || lower(substring(a ->> 'url' FROM '^[^:]+://(\[[^]]*\]|[^/:?]+)')), 1,
                       coalesce((a ->> 'maxConcurrent')::integer, 1000), coalesce((a ->> 'maxConcurrent')::integer, 1000)
                FROM jsonb_array_elements(tools -> 'addresses') AS a
            ) AS configured
            WHERE pool IS NOT NULL GROUP BY pool
        ) AS pools);
COMMENT ON FUNCTION worker_calls IS 'How many calls a worker allows in flight, by pool: the fewest, those at first, and the most.';

ALTER TABLE worker ADD COLUMN calls jsonb GENERATED ALWAYS AS (worker_calls(providers, tools)) STORED;
COMMENT ON COLUMN worker.calls IS 'Calls in flight that it allows: [the fewest, at first, the most] for provider/NAME, provider/http/HOST and models/PROVIDER/PATTERN.';

CREATE INDEX permit_lease_by_worker ON permit_lease (worker_id);
COMMENT ON INDEX permit_lease_by_worker IS 'Finds the permits of a worker that ends.';
