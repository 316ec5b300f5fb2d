-- Templates of branches are filled with what a case gives them.
ALTER TABLE suite_case ADD COLUMN vars jsonb;
COMMENT ON COLUMN suite_case.vars IS 'Values for the templates of branches by name, an object; null: none.';
