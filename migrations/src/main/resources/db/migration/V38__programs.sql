-- What programs that answer for branches leave behind. Null where a model answered, and in rows of earlier builds.
ALTER TABLE outcome ADD COLUMN exit_code integer, ADD COLUMN stdout bytea, ADD COLUMN stderr bytea;
COMMENT ON COLUMN outcome.exit_code IS 'How the program ended; null: no program answered, or it was stopped or did not start.';
COMMENT ON COLUMN outcome.stdout IS 'The first 10 MiB of what the program printed; null: no program ran.';
COMMENT ON COLUMN outcome.stderr IS 'The first 10 MiB of its standard error; null: no program ran.';
