-- Suites and their cases: immutable once stored, found again by the hash of their content.
CREATE TABLE suite (
    suite_id     text PRIMARY KEY,
    name         text NOT NULL,
    case_count   integer NOT NULL CHECK (case_count > 0),
    created_at   timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE suite IS 'A named, immutable list of cases.';
COMMENT ON COLUMN suite.suite_id IS 'SHA-256 of the name and the cases, in hexadecimal.';
COMMENT ON COLUMN suite.name IS 'For people.';
COMMENT ON COLUMN suite.case_count IS 'Number of rows in suite_case.';
COMMENT ON COLUMN suite.created_at IS 'When the suite was first stored.';

CREATE TABLE suite_case (
    suite_id     text NOT NULL REFERENCES suite,
    case_index   integer NOT NULL CHECK (case_index >= 0),
    case_id      text NOT NULL CHECK (length(case_id) BETWEEN 1 AND 128),
    prompt       text,
    context      jsonb NOT NULL,
    checks       jsonb NOT NULL,
    tags         text[] NOT NULL,
    metadata     jsonb NOT NULL,
    PRIMARY KEY (suite_id, case_index),
    UNIQUE (suite_id, case_id)
);
COMMENT ON TABLE suite_case IS 'One prompt with the checks that its answers must pass.';
COMMENT ON COLUMN suite_case.suite_id IS 'The suite.';
COMMENT ON COLUMN suite_case.case_index IS 'Place in the suite, from 0.';
COMMENT ON COLUMN suite_case.case_id IS 'The id that the suite''s author gave.';
COMMENT ON COLUMN suite_case.prompt IS 'The user''s message; null when the context already ends on one.';
COMMENT ON COLUMN suite_case.context IS 'Messages before the prompt, oldest first.';
COMMENT ON COLUMN suite_case.checks IS 'The checks, the suite''s default checks included.';
COMMENT ON COLUMN suite_case.tags IS 'For filtering and grouping.';
COMMENT ON COLUMN suite_case.metadata IS 'Anything else that the author keeps with the case.';
