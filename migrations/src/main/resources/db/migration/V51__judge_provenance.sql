-- What was asked of a judge, what was sent and what served it, as outcomes have it. Null in rows of earlier builds.
ALTER TABLE judge_call ADD COLUMN requested jsonb, ADD COLUMN effective jsonb, ADD COLUMN served jsonb;
COMMENT ON COLUMN judge_call.requested IS 'Provider, model, thinking and parameters as the campaign states them; null: no model is asked (scripts).';
COMMENT ON COLUMN judge_call.effective IS 'The answered request as it was sent, without system prompt and messages; null: no answer came over a network.';
COMMENT ON COLUMN judge_call.served IS 'What the answer says of its origin: model, fingerprint, serviceTier; null: no answer came over a network.';
