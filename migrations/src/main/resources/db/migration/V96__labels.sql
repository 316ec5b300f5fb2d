-- What people say of answers.
CREATE TABLE label (
    label_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    origin_campaign  text NOT NULL,
    origin_case      text NOT NULL,
    origin_branch    text NOT NULL,
    origin_trial     integer NOT NULL CHECK (origin_trial > 0),
    origin_draw      integer NOT NULL CHECK (origin_draw >= 0),
    check_name       text CHECK (length(check_name) BETWEEN 1 AND 128),
    value            numeric CHECK (value BETWEEN 0 AND 1),
    unsure           boolean NOT NULL CHECK (unsure = (value IS NULL)),
    labeller         text NOT NULL CHECK (length(labeller) BETWEEN 1 AND 128),
    note             text CHECK (length(note) <= 10000),
    sample_id        text,
    labelled_at      timestamptz NOT NULL DEFAULT now(),
    superseded_at    timestamptz
);
COMMENT ON TABLE label IS 'What people say of draws. A label changes no verdict.';
COMMENT ON SEQUENCE label_label_id_seq IS 'Numbers of labels.';
COMMENT ON COLUMN label.label_id IS 'Its number.';
COMMENT ON COLUMN label.origin_campaign IS 'The campaign that first recorded the draw, which may be gone.';
COMMENT ON COLUMN label.origin_case IS 'The id of its case there.';
COMMENT ON COLUMN label.origin_branch IS 'The id of its branch there.';
COMMENT ON COLUMN label.origin_trial IS 'The repetition there, from 1.';
COMMENT ON COLUMN label.origin_draw IS 'Which draw of that cell, from 0: re-runs draw again.';
COMMENT ON COLUMN label.check_name IS 'Metric or type of the check that the person decided; null: the trial as a whole.';
COMMENT ON COLUMN label.value IS '1 pass, 0 fail, between: a score; null: unsure.';
COMMENT ON COLUMN label.unsure IS 'Whether the person is unsure.';
COMMENT ON COLUMN label.labeller IS 'Who says it.';
COMMENT ON COLUMN label.note IS 'Why; null: nothing is said.';
COMMENT ON COLUMN label.sample_id IS 'The sample that asked for it; null: the person chose the draw.';
COMMENT ON COLUMN label.labelled_at IS 'When it was said.';
COMMENT ON COLUMN label.superseded_at IS 'When a newer label or a deletion took its place; null: it is in force.';
CREATE UNIQUE INDEX label_in_force ON label
    (origin_campaign, origin_case, origin_branch, origin_trial, origin_draw, labeller, coalesce(check_name, ''))
    WHERE superseded_at IS NULL;
COMMENT ON INDEX label_in_force IS 'One label is in force for each draw, check and person.';
CREATE INDEX label_superseded ON label (origin_campaign) WHERE superseded_at IS NOT NULL;
COMMENT ON INDEX label_superseded IS 'Finds the others of a campaign that is removed.';

CREATE TABLE label_sample (
    sample_id    text PRIMARY KEY,
    campaign_id  text NOT NULL REFERENCES campaign,
    seed         bigint NOT NULL,
    count        integer NOT NULL CHECK (count >= 0),
    population   bigint NOT NULL CHECK (population >= count),
    branches     text[] NOT NULL,
    check_name   text,
    created_at   timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE label_sample IS 'Random samples of answers that people are asked to label. One never changes.';
COMMENT ON COLUMN label_sample.sample_id IS 'Its id.';
COMMENT ON COLUMN label_sample.campaign_id IS 'The campaign of which it was made.';
COMMENT ON COLUMN label_sample.seed IS 'Orders the cells, together with their names.';
COMMENT ON COLUMN label_sample.count IS 'How many draws it has.';
COMMENT ON COLUMN label_sample.population IS 'How many draws it was taken from.';
COMMENT ON COLUMN label_sample.branches IS 'Ids of the branches whose answers it was taken from.';
COMMENT ON COLUMN label_sample.check_name IS 'The check that people are asked about; null: the trial as a whole.';
COMMENT ON COLUMN label_sample.created_at IS 'When it was made.';
CREATE INDEX label_sample_by_campaign ON label_sample (campaign_id, created_at);
COMMENT ON INDEX label_sample_by_campaign IS 'Finds the newest sample of a campaign.';

CREATE TABLE label_sample_cell (
    sample_id        text NOT NULL REFERENCES label_sample,
    place            integer NOT NULL CHECK (place >= 0),
    item             text NOT NULL,
    ordinal          integer NOT NULL CHECK (ordinal >= 0),
    branch_index     integer NOT NULL CHECK (branch_index >= 0),
    response         text NOT NULL,
    origin_campaign  text NOT NULL,
    origin_case      text NOT NULL,
    origin_branch    text NOT NULL,
    origin_trial     integer NOT NULL,
    origin_draw      integer NOT NULL,
    PRIMARY KEY (sample_id, place)
);
COMMENT ON TABLE label_sample_cell IS 'The draws of a sample.';
COMMENT ON COLUMN label_sample_cell.sample_id IS 'The sample.';
COMMENT ON COLUMN label_sample_cell.place IS 'Place in the sample, from 0.';
COMMENT ON COLUMN label_sample_cell.item IS 'Names the draw for who labels, and says nothing of it: 16 hexadecimal digits.';
COMMENT ON COLUMN label_sample_cell.ordinal IS 'Number of the trial in the campaign of the sample.';
COMMENT ON COLUMN label_sample_cell.branch_index IS 'The branch there.';
COMMENT ON COLUMN label_sample_cell.response IS 'The answer, as it was when the sample was made.';
COMMENT ON COLUMN label_sample_cell.origin_campaign IS 'As in label.';
COMMENT ON COLUMN label_sample_cell.origin_case IS 'As in label.';
COMMENT ON COLUMN label_sample_cell.origin_branch IS 'As in label.';
COMMENT ON COLUMN label_sample_cell.origin_trial IS 'As in label.';
COMMENT ON COLUMN label_sample_cell.origin_draw IS 'As in label.';
CREATE INDEX label_sample_item ON label_sample_cell (item);
COMMENT ON INDEX label_sample_item IS 'Finds the draw of an item.';

-- Labels in force, beside each cell that holds their draw: where it was first recorded, and its copies.
CREATE VIEW cell_label AS
SELECT o.campaign_id, o.ordinal, o.branch_index, k.case_id, b.branch_id, o.trial, o.passed, l.label_id, l.check_name, l.value,
       l.labeller, l.note, l.sample_id, l.labelled_at
FROM label l
JOIN campaign c ON c.campaign_id = l.origin_campaign
JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_id = l.origin_case
JOIN campaign_branch b ON b.campaign_id = c.campaign_id AND b.branch_id = l.origin_branch
JOIN outcome o ON o.campaign_id = c.campaign_id AND o.branch_index = b.branch_index AND o.case_index = k.case_index
    AND o.trial = l.origin_trial AND o.ordinal = (l.origin_trial - 1) * c.case_count + k.case_index
WHERE l.superseded_at IS NULL AND o.origin_campaign IS NULL
  AND l.origin_draw = CASE WHEN c.reruns = 0 THEN 0 ELSE draw_number(o.campaign_id, o.ordinal, o.branch_index) END
UNION ALL
SELECT o.campaign_id, o.ordinal, o.branch_index, k.case_id, b.branch_id, o.trial, o.passed, l.label_id, l.check_name, l.value,
       l.labeller, l.note, l.sample_id, l.labelled_at
FROM outcome o
JOIN campaign c USING (campaign_id)
JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = o.case_index
JOIN campaign_branch b USING (campaign_id, branch_index)
JOIN label l ON l.origin_campaign = o.origin_campaign AND l.origin_case = o.origin_case AND l.origin_branch = o.origin_branch
    AND l.origin_trial = o.origin_trial AND l.origin_draw = o.origin_draw
WHERE l.superseded_at IS NULL AND o.origin_campaign IS NOT NULL;
COMMENT ON VIEW cell_label IS 'Labels in force, once for each cell that holds their draw.';

CREATE VIEW labels AS
SELECT x.campaign_id, c.name AS campaign, x.case_id, x.branch_id, x.trial, x.check_name,
       CASE WHEN x.value >= 0.5 THEN 'pass' WHEN x.value < 0.5 THEN 'fail' ELSE 'unsure' END AS verdict, x.value AS score,
       x.labeller, x.note, x.sample_id, x.labelled_at, x.passed
FROM cell_label x JOIN campaign c USING (campaign_id)
WHERE c.deleted_at IS NULL;
COMMENT ON VIEW labels IS 'What people say of answers, in force: one row for each campaign that holds the answer.';
