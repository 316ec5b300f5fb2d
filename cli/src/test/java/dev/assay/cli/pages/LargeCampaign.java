package dev.assay.cli.pages;

import java.util.List;

/** A campaign that has ended, made of rows instead of calls. */
final class LargeCampaign {

    private static final int TRIALS = 5;

    private LargeCampaign() {}

    /**
     * SQL that makes the campaign {@code large}: so many cases × three branches × five trials. About every tenth cell fails, and one in
     * 500 ended in an error.
     *
     * @param small a campaign of one case, three branches and five trials that has completed: its rows say what is not told here
     */
    static List<String> rowsLike(String small, int cases) {
        String ofSmall = "WHERE campaign_id = '" + small + "'";
        String trials = ", generate_series(0, " + (TRIALS * cases - 1) + ") AS o " + ofSmall + " AND ordinal = 0";
        String place = "'campaign_id', 'large', 'ordinal', o, 'case_index', o % " + cases + ", 'trial', o / " + cases
                + " + 1, ";
        String isError = "hashint8(o * 7 + branch_index) % 500 = 0";
        return List.of(
                "INSERT INTO suite (suite_id, name, case_count) VALUES ('large', 'large', " + cases + ")",
                copy(
                        "suite_case",
                        "'suite_id', 'large', 'case_index', i, 'case_id', 'case-' || i, 'prompts', ARRAY['What is the"
                                + " capital of country ' || i || '?'], 'tags', ARRAY['tag-' || i % 7]",
                        "JOIN campaign USING (suite_id), generate_series(0, " + (cases - 1) + ") AS i " + ofSmall),
                copy(
                        "campaign",
                        "'campaign_id', 'large', 'name', 'large', 'suite_id', 'large', 'case_count', " + cases,
                        ofSmall),
                copy("campaign_branch", "'campaign_id', 'large'", ofSmall),
                copy(
                        "outcome",
                        place + "'status', CASE WHEN " + isError
                                + " THEN 'MODEL_ERROR' ELSE 'COMPLETED' END, 'passed', NOT " + isError
                                + " AND hashint8(o * 3 + branch_index) % 10 <> 0",
                        trials),
                copy("trial", place + "'selected_index', abs(hashint8(o)) % 3", trials),
                "INSERT INTO progress (campaign_id, kind, member, shard, cells_done, cells_passed, cells_failed)"
                        + " SELECT 'large', 'branch', branch_index, 'rows', count(*), count(*) FILTER (WHERE passed),"
                        + " count(*) FILTER (WHERE status = 'MODEL_ERROR') FROM outcome WHERE campaign_id = 'large'"
                        + " GROUP BY branch_index",
                "INSERT INTO progress (campaign_id, kind, member, shard, trials_done)"
                        + " SELECT 'large', 'trial', 0, 'rows', count(*) FROM trial WHERE campaign_id = 'large'",
                "ANALYZE");
    }

    /** Rows like those of a table that {@code which} finds, with other values. */
    private static String copy(String table, String values, String which) {
        return "INSERT INTO " + table
                + " SELECT (made.one).* FROM (SELECT jsonb_populate_record(old, jsonb_build_object(" + values
                + ")) AS one FROM " + table + " AS old " + which + " OFFSET 0) AS made";
    }
}
