-- What programs ask models through the model proxy. Null where none did, and in rows of earlier builds.
ALTER TABLE outcome ADD COLUMN reported jsonb, ADD COLUMN model_turns text;
COMMENT ON COLUMN outcome.reported IS 'Usage and cost that the program itself printed, which counts nowhere; null: it asked no models through the model proxy.';
COMMENT ON COLUMN outcome.model_turns IS 'Its requests to models for the trace, a line of JSON each; null: as for reported.';
