package dev.assay.store.cases;

import dev.assay.store.page.AnswerRoom;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageEnd;
import dev.assay.store.page.PageToken;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Octets;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.sql.ResultSet;
import java.sql.SQLException;
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
        FROM suite_case k WHERE k.suite_id = ? AND k.case_index = ANY (?::integer[]) ORDER BY k.case_index\
        """;

    /** Beside id and tags, an excerpt has two texts of 300 characters. */
    private static final String SIZES = "SELECT k.case_index, 1200 + " + Octets.ofTexts("k.case_id") + " + "
            + Octets.ofValues("k.tags")
            + " AS octets FROM suite_case k WHERE k.suite_id = ? AND k.case_index >= ?";

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
    public Page<CaseExcerpt> list(String suiteId, CaseFilter filter, int from, int limit, AnswerRoom room) {
        List<Sized> sized = sql.read(() -> sizes(suiteId, filter, from, limit + 1));
        PageEnd end = PageEnd.of(sized.stream().map(Sized::octets).toList(), limit);
        room.take(end.bytes());
        List<Integer> positions =
                sized.stream().limit(end.items()).map(Sized::position).toList();
        return Page.of(
                sql.read(() -> sql.list(LIST, CaseLists::excerpt, suiteId, positions)),
                end.isLast(),
                last -> PageToken.of(last.position() + 1));
    }

    private record Sized(int position, long octets) {}

    /** A search reads every prompt: what it found is read by its place. */
    private List<Sized> sizes(String suiteId, CaseFilter filter, int from, int limit) {
        List<@Nullable Object> parameters = new ArrayList<>(List.of(suiteId, from));
        String where = filter.where(parameters);
        parameters.add(limit);
        return sql.list(
                SIZES + where + " ORDER BY k.case_index LIMIT ?",
                row -> new Sized(row.getInt("case_index"), row.getLong("octets")),
                parameters.toArray());
    }

    private static CaseExcerpt excerpt(ResultSet row) throws SQLException {
        return new CaseExcerpt(
                row.getInt("case_index"),
                row.getString("case_id"),
                row.getString("prompt"),
                Columns.strings(row, "tags"),
                row.getString("expected"));
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

    /** A tag of a suite. */
    @Introspected
    public record TagCount(String tag, long cases) {}

    /** The tags of a suite, those of most cases first; at most a thousand, and only those that a request can name. */
    @ReadOnly
    @Query("""
        SELECT tag, count(*) AS cases FROM suite_case k, unnest(k.tags) AS tag
        WHERE k.suite_id = :suiteId AND octet_length(tag) <= 4096 GROUP BY tag ORDER BY count(*) DESC, tag LIMIT 1000
        """)
    public abstract List<TagCount> tags(String suiteId);
}
