-- Limits that people set while workers run, and what changed when, why and by whom.
CREATE TABLE manual_limit (
    provider   text        NOT NULL,
    account    text        NOT NULL,
    models     text        NOT NULL,
    name       text        NOT NULL,
    units      bigint      NOT NULL CONSTRAINT manual_limit_units CHECK (units >= 1),
    who        text        NOT NULL,
    reason     text        NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (provider, account, models, name)
);
COMMENT ON TABLE manual_limit IS 'Limits that people set. Each replaces what is configured, on all workers, until it is taken back.';
COMMENT ON COLUMN manual_limit.provider IS 'The provider.';
COMMENT ON COLUMN manual_limit.account IS 'What the provider counts for.';
COMMENT ON COLUMN manual_limit.models IS 'The pattern of an entry of the settings.';
COMMENT ON COLUMN manual_limit.name IS 'The limit, as it is called in the settings: requestsPerMinute, tokensPerDay and so on.';
COMMENT ON COLUMN manual_limit.units IS 'Units a period.';
COMMENT ON COLUMN manual_limit.who IS 'The name of the token; local: a user of the server''s machine.';
COMMENT ON COLUMN manual_limit.reason IS 'Why, in the words of that person.';
COMMENT ON COLUMN manual_limit.changed_at IS 'When it was set.';

CREATE TABLE limit_change (
    change_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        timestamptz NOT NULL DEFAULT now(),
    provider  text        NOT NULL,
    account   text        NOT NULL,
    models    text        NOT NULL,
    name      text        NOT NULL,
    old_value text,
    new_value text,
    why       text        NOT NULL,
    who       text        NOT NULL,
    reason    text
);
CREATE INDEX limit_change_pool ON limit_change (provider, account, models, name, change_id);
COMMENT ON TABLE limit_change IS 'What changed of the limits of pools. Rows are only added.';
COMMENT ON SEQUENCE limit_change_change_id_seq IS 'Numbers of changes.';
COMMENT ON COLUMN limit_change.change_id IS 'Grows with each change.';
COMMENT ON COLUMN limit_change.at IS 'When it changed.';
COMMENT ON COLUMN limit_change.provider IS 'The provider; http/ and the host for a system under test.';
COMMENT ON COLUMN limit_change.account IS 'What the provider counts for.';
COMMENT ON COLUMN limit_change.models IS 'The pattern of an entry of the settings.';
COMMENT ON COLUMN limit_change.name IS 'What changed: a limit, as it is called in the settings.';
COMMENT ON COLUMN limit_change.old_value IS 'The value that was in force; null: none.';
COMMENT ON COLUMN limit_change.new_value IS 'The value that is in force since; null: none.';
COMMENT ON COLUMN limit_change.why IS 'configured: the settings of workers; manual: a person.';
COMMENT ON COLUMN limit_change.who IS 'The name of the token, local, or the worker that brought it; assay: a server noticed it.';
COMMENT ON COLUMN limit_change.reason IS 'Why, in the words of a person; null: the settings say so.';
