package dev.assay.store.suite;

import dev.assay.store.sql.Columns;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cases of suites, for people who look through them. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class CaseLists implements QueryRepository {

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
    @Introspected
    public record TagCount(String tag, long cases) {}

    /** The tags of a suite, those of most cases first; at most a thousand. */
    @ReadOnly
    @Query("""
        SELECT tag, count(*) AS cases FROM suite_case k, unnest(k.tags) AS tag
        WHERE k.suite_id = :suiteId GROUP BY tag ORDER BY count(*) DESC, tag LIMIT 1000
        """)
    public abstract List<TagCount> tags(String suiteId);
}
