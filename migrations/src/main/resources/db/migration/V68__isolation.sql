-- How far a program that answered was kept apart from its worker. Null where a model answered, and in rows of earlier builds.
ALTER TABLE outcome ADD COLUMN isolation text CHECK (isolation IN ('none', 'confined', 'user'));
COMMENT ON COLUMN outcome.isolation IS 'The level at which the program ran; null: no program ran, or an earlier build recorded it.';
