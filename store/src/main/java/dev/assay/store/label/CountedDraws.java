package dev.assay.store.label;

/** The draws of cells that count, as one account of evidence says: the first scored one where a cell was asked again. */
final class CountedDraws {

    /** Of {@code outcome o} and {@code campaign c}: its draw. */
    static final String DRAW = """
        coalesce(o.origin_campaign, o.campaign_id) AS origin_campaign, coalesce(o.origin_case, k.case_id) AS origin_case,
        coalesce(o.origin_branch, b.branch_id) AS origin_branch, coalesce(o.origin_trial, o.trial) AS origin_trial,
        CASE WHEN o.origin_campaign IS NOT NULL THEN o.origin_draw WHEN c.reruns = 0 THEN 0
             ELSE draw_number(o.campaign_id, o.ordinal, o.branch_index) END AS origin_draw\
        """;

    /** The first scored draws of cells of a campaign that were asked again. */
    static final String FIRST = """
        SELECT DISTINCT ON (f.ordinal, f.member) f.ordinal, f.member AS branch_index,
               coalesce(f.result ->> 'origin_campaign', f.campaign_id) AS origin_campaign,
               coalesce(f.result ->> 'origin_case', k.case_id) AS origin_case,
               coalesce(f.result ->> 'origin_branch', b.branch_id) AS origin_branch,
               coalesce((f.result ->> 'origin_trial')::integer, f.ordinal / c.case_count + 1) AS origin_trial,
               coalesce((f.result ->> 'origin_draw')::integer, (
                   SELECT count(*)::integer FROM replaced_result e
                   WHERE e.campaign_id = f.campaign_id AND e.rerun < f.rerun AND e.kind = 'outcome' AND e.ordinal = f.ordinal
                     AND e.member = f.member AND NOT jsonb_exists(e.result, 'graded_again'))) AS origin_draw,
               (f.result ->> 'passed')::boolean AS passed, f.result ->> 'response' AS response,
               coalesce(f.result -> 'checks', '[]') AS checks, k.case_id, b.branch_id, f.ordinal / c.case_count + 1 AS trial
        FROM replaced_result f
        JOIN campaign c USING (campaign_id)
        JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = f.ordinal % c.case_count
        JOIN campaign_branch b ON b.campaign_id = f.campaign_id AND b.branch_index = f.member
        WHERE f.campaign_id = ? AND f.kind = 'outcome' AND f.result ->> 'status' IN ('COMPLETED', 'LIMIT')
          AND f.result ->> 'passed' IS NOT NULL
          AND f.rerun > coalesce((SELECT max(w.rerun) FROM whole_rerun w
                                  WHERE w.campaign_id = f.campaign_id AND w.branch_index = f.member), 0)
        ORDER BY f.ordinal, f.member, f.rerun\
        """;

    /** The answers of a campaign as they are now, by the index of their branch. */
    static final String NOW = """
        SELECT o.ordinal, o.branch_index, k.case_id, b.branch_id, o.trial, o.passed, o.checks, %s
        FROM outcome o
        JOIN campaign c USING (campaign_id)
        JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = o.case_index
        JOIN campaign_branch b USING (campaign_id, branch_index)
        WHERE o.campaign_id = ? AND o.branch_index = ANY (?::integer[]) AND o.status IN ('COMPLETED', 'LIMIT')\
        """.formatted(DRAW);

    private CountedDraws() {}
}
