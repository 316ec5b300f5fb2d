-- Several prompts in one case, and evaluations: campaigns of one case that are answered at once and can be continued.
ALTER TABLE suite_case ADD COLUMN prompts text[] NOT NULL DEFAULT '{}';
UPDATE suite_case SET prompts = ARRAY[prompt] WHERE prompt IS NOT NULL;
ALTER TABLE suite_case DROP COLUMN prompt, ALTER COLUMN prompts DROP DEFAULT;
COMMENT ON COLUMN suite_case.prompts IS 'The user''s messages; none when the context already ends on one.';
COMMENT ON COLUMN suite_case.context IS 'Messages before the prompts, oldest first.';

CREATE TABLE session (
    session_id   text PRIMARY KEY,
    loops        integer NOT NULL CHECK (loops > 0),
    created_at   timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE session IS 'A conversation: an evaluation and its continuations.';
COMMENT ON COLUMN session.session_id IS 'Begins the id of each of its loops.';
COMMENT ON COLUMN session.loops IS 'How many loop numbers were given out; the next evaluation goes on from there.';
COMMENT ON COLUMN session.created_at IS 'When its first evaluation was submitted.';

CREATE TABLE evaluation (
    evaluation_id   text PRIMARY KEY REFERENCES campaign,
    session_id      text NOT NULL REFERENCES session,
    first_loop      integer NOT NULL CHECK (first_loop > 0),
    continues_id    text REFERENCES evaluation,
    on_cancel       text NOT NULL CHECK (on_cancel IN ('SELECT', 'DISCARD')),
    events          bigint NOT NULL DEFAULT 0,
    UNIQUE (session_id, first_loop)
);
COMMENT ON TABLE evaluation IS 'A campaign of one case and one trial that is answered at once and can be continued.';
COMMENT ON COLUMN evaluation.evaluation_id IS 'The campaign that runs it.';
COMMENT ON COLUMN evaluation.session_id IS 'The conversation that it belongs to.';
COMMENT ON COLUMN evaluation.first_loop IS 'Number of its first branch''s loop in the session; the others follow, the judge''s after them.';
COMMENT ON COLUMN evaluation.continues_id IS 'The evaluation whose selected context it goes on from; null: it began the session.';
COMMENT ON COLUMN evaluation.on_cancel IS 'Whether a cancelled evaluation still selects among the branches that completed.';
COMMENT ON COLUMN evaluation.events IS 'Number of its latest event.';

CREATE TABLE evaluation_event (
    evaluation_id   text NOT NULL REFERENCES evaluation,
    number          bigint NOT NULL CHECK (number > 0),
    loop_id         text,
    name            text NOT NULL,
    body            jsonb NOT NULL,
    at              timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (evaluation_id, number)
);
COMMENT ON TABLE evaluation_event IS 'What happened in the loops of an evaluation, in order.';
COMMENT ON COLUMN evaluation_event.evaluation_id IS 'The evaluation.';
COMMENT ON COLUMN evaluation_event.number IS 'From 1, without gaps; a number becomes visible only after all before it.';
COMMENT ON COLUMN evaluation_event.loop_id IS 'The loop; null for events of the evaluation itself.';
COMMENT ON COLUMN evaluation_event.name IS 'Such as TurnStart.';
COMMENT ON COLUMN evaluation_event.body IS 'The event.';
COMMENT ON COLUMN evaluation_event.at IS 'When it was recorded.';

CREATE TABLE cancelled_branch (
    campaign_id    text NOT NULL REFERENCES campaign,
    branch_index   integer NOT NULL CHECK (branch_index >= 0),
    at             timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign_id, branch_index)
);
COMMENT ON TABLE cancelled_branch IS 'Branches that a user cancelled while the others go on.';
COMMENT ON COLUMN cancelled_branch.campaign_id IS 'The campaign.';
COMMENT ON COLUMN cancelled_branch.branch_index IS 'The branch.';
COMMENT ON COLUMN cancelled_branch.at IS 'When it was cancelled.';
