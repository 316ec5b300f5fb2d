-- A program may run in a container of its own. The rows of earlier builds hold a narrower rule, so they are not read again.
ALTER TABLE outcome DROP CONSTRAINT outcome_isolation_check;
ALTER TABLE outcome ADD CONSTRAINT outcome_isolation_check CHECK (isolation IN ('none', 'confined', 'user', 'container')) NOT VALID;
COMMENT ON COLUMN outcome.isolation IS 'The level at which the program ran: none, confined, user or container; null: no program ran, or an earlier build recorded it.';
