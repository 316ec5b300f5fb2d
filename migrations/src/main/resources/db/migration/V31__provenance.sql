-- What was asked for, what was sent, and what served the answer. Null in rows of earlier builds: they did not note it.
ALTER TABLE outcome ADD COLUMN requested jsonb, ADD COLUMN effective jsonb, ADD COLUMN served jsonb;
COMMENT ON COLUMN outcome.requested IS 'Provider, model, thinking and parameters as the campaign states them; null: no model is asked (scripts).';
COMMENT ON COLUMN outcome.effective IS 'The last answered request as it was sent, without system prompt, messages and tools; null: no answer came over a network.';
COMMENT ON COLUMN outcome.served IS 'What the last answer says of its origin: model, fingerprint, serviceTier; null: no answer came over a network.';
COMMENT ON COLUMN outcome.warnings IS 'What its loop warned of, as sentences: parameters that were left out, input filters that only warn, a conversation that stayed too long, and the like.';

ALTER TABLE turn ADD COLUMN provenance jsonb, ADD COLUMN warnings text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN turn.provenance IS 'Effective and served, as in outcome; null: an earlier build did not note it.';
COMMENT ON COLUMN turn.warnings IS 'What users should know of the answer, as sentences.';
