package dev.assay.store.suite;

import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cases of suites as people look through them. */
@Singleton
public class CaseLists {

    private static final String LIST = """
        SELECT k.case_index, k.case_id, k.tags, left(coalesce(k.prompts[1],
                   jsonb_path_query_first(k.prompt_messages, '$[*].content[*] ? (@.type() == "string")') #>> '{}',
                   jsonb_path_query_first(k.prompt_messages, '$[*].content[*].text') #>> '{}', ''), 300) AS prompt,
               left(jsonb_path_query_first(k.checks, '$[*].value ? (@.type() == "string")') #>> '{}', 300) AS expected
        FROM suite_case k WHERE k.suite_id = ? AND k.case_index >= ?\
        """;

    private final Sql sql;

    CaseLists(Sql sql) {
        this.sql = sql;
    }

    /**
     * Cases of a suite, in its order.
     *
     * @param from place of the first, from 0
     * @param limit at most so many
     */
    @ReadOnly
    public List<CaseExcerpt> list(String suiteId, CaseFilter filter, int from, int limit) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(suiteId, from));
        String where = filter.where(parameters);
        parameters.add(limit);
        return sql.list(
                LIST + where + " ORDER BY k.case_index LIMIT ?",
                row -> new CaseExcerpt(
                        row.getInt("case_index"),
                        row.getString("case_id"),
                        row.getString("prompt"),
                        Columns.strings(row, "tags"),
                        row.getString("expected")),
                parameters.toArray());
    }

    /** The places of all cases that a filter keeps, ascending. */
    @ReadOnly
    public List<Integer> positions(String suiteId, CaseFilter filter) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(suiteId));
        String where = filter.where(parameters);
        return sql.list(
                "SELECT k.case_index FROM suite_case k WHERE k.suite_id = ?" + where + " ORDER BY k.case_index",
                row -> row.getInt("case_index"),
                parameters.toArray());
    }

    /**
     * A tag of a suite.
     *
     * @param cases how many have it
     */
    public record TagCount(String tag, long cases) {}

    /** The tags of a suite, those of most cases first; at most a thousand. */
    @ReadOnly
    public List<TagCount> tags(String suiteId) {
        return sql.list("""
            SELECT tag, count(*) AS cases FROM suite_case k, unnest(k.tags) AS tag
            WHERE k.suite_id = ? GROUP BY tag ORDER BY count(*) DESC, tag LIMIT 1000\
            """, row -> new TagCount(row.getString("tag"), row.getLong("cases")), suiteId);
    }
}
