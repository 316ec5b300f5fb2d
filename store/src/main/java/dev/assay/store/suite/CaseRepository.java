package dev.assay.store.suite;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.Checks;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.GroupBy;
import dev.assay.domain.suite.Question;
import dev.assay.domain.suite.Suite;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.RowColumns;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Suites and their cases. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class CaseRepository implements QueryRepository {

    private static final TypeReference<List<Message>> MESSAGES = new TypeReference<>() {};
    private static final TypeReference<List<Check>> CHECKS = new TypeReference<>() {};
    private static final TypeReference<Map<String, JsonNode>> VARS = new TypeReference<>() {};
    private static final TypeReference<Map<String, String>> METADATA = new TypeReference<>() {};

    private static final RowColumns<StoredCase> COLUMNS = RowColumns.<StoredCase>of()
            .key("suite_id", StoredCase::suiteId)
            .key("case_index", StoredCase::index)
            .column("case_id", row -> row.value().id())
            .column("prompts", "text[]", StoredCase::texts)
            .json(
                    "prompt_messages",
                    row -> row.texts().contains(null) ? row.value().prompts() : null)
            .column("context", "jsonb", row -> row.json().get("context").toString())
            .column("checks", "jsonb", row -> row.json().get("checks").toString())
            .column("tags", row -> row.value().tags())
            .column("metadata", "jsonb", row -> row.json().get("metadata").toString())
            .column("workspace_subdir", row -> row.value().workspaceSubdir())
            .column("threshold", row -> row.value().checks().threshold())
            .json("transform", row -> row.value().checks().transform())
            .json(
                    "vars",
                    row -> row.value().vars().isEmpty() ? null : row.value().vars());

    private static final String INSERT = COLUMNS.insert("suite_case");

    private static final String EARLIER_EQUALS = """
        SELECT case_index, earlier FROM (
            SELECT case_index, (row_number() OVER (PARTITION BY md5(jsonb_build_array(
                CASE WHEN ? THEN to_jsonb(prompts) END, CASE WHEN ? THEN prompt_messages END, context,
                CASE WHEN ?::text[] IS NULL THEN vars
                     ELSE (SELECT jsonb_object_agg(v.key, v.value ORDER BY v.key)
                           FROM jsonb_each(CASE WHEN jsonb_typeof(vars) = 'object' THEN vars END) v WHERE v.key = ANY (?::text[])) END)::text)
                ORDER BY case_index) - 1)::integer AS earlier
            FROM suite_case WHERE suite_id = ?) ranked
        WHERE earlier > 0\
        """;

    /** Cases that are read by one statement. */
    private static final int PIECE = 1_000;

    private final Sql sql;

    CaseRepository(Sql sql) {
        this.sql = sql;
    }

    /** The id of a suite: two with the same name and cases have the same. */
    public static String id(Suite suite) {
        return id(Json.mapper().<JsonNode>valueToTree(suite));
    }

    private static String id(JsonNode content) {
        return RequestKey.sha256(RequestKey.canonical(content));
    }

    /** Stores a suite, unless one with this content is stored already; returns its id. */
    @Transactional
    public String store(Suite suite) {
        JsonNode content = Json.mapper().valueToTree(suite);
        String suiteId = id(content);
        ContentLock.use(sql, suiteId);
        int inserted = sql.update(
                "INSERT INTO suite (suite_id, name, case_count) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                suiteId,
                suite.name(),
                suite.cases().size());
        if (inserted == 1) {
            JsonNode cases = content.get("cases");
            sql.batch(
                    INSERT,
                    IntStream.range(0, suite.cases().size()).boxed().toList(),
                    i -> COLUMNS.parameters(
                            new StoredCase(suiteId, i, suite.cases().get(i), cases.get(i))));
        }
        return suiteId;
    }

    /** The cases at {@code caseIndexes}, by index; an index that the suite does not have is not in the result. */
    @ReadOnly
    public Map<Integer, Case> find(String suiteId, Collection<Integer> caseIndexes) {
        return sql.byKey("""
            SELECT case_index, case_id, prompts, prompt_messages, context, checks, tags, metadata, workspace_subdir,
                threshold, transform, vars
            FROM suite_case WHERE suite_id = ? AND case_index = ANY (?::integer[])\
            """, row -> row.getInt("case_index"), CaseRepository::read, suiteId, caseIndexes);
    }

    /** All cases of a suite. */
    @ReadOnly
    public Suite all(String suiteId, String name, int cases) {
        List<Case> all = new ArrayList<>(cases);
        for (int from = 0; from < cases; from += PIECE) {
            List<Integer> piece =
                    IntStream.range(from, Math.min(cases, from + PIECE)).boxed().toList();
            Map<Integer, Case> found = find(suiteId, piece);
            piece.forEach(index -> all.add(found.get(index)));
        }
        return new Suite(name, all);
    }

    /** The ids of the cases at {@code caseIndexes}, by index. */
    @ReadOnly
    public Map<Integer, String> ids(String suiteId, Collection<Integer> caseIndexes) {
        return sql.byKey(
                "SELECT case_index, case_id FROM suite_case WHERE suite_id = ? AND case_index = ANY (?::integer[])",
                row -> row.getInt("case_index"),
                row -> row.getString("case_id"),
                suiteId,
                caseIndexes);
    }

    /** The ids of all cases; the position in the list is the case's index. */
    @ReadOnly
    @Query("SELECT case_id FROM suite_case WHERE suite_id = :suiteId ORDER BY case_index")
    public abstract List<String> caseIds(String suiteId);

    /** The place of a case in its suite, from 0; empty when the suite does not have it. */
    @ReadOnly
    @Query("SELECT case_index FROM suite_case WHERE suite_id = :suiteId AND case_id = :caseId")
    public abstract Optional<Integer> position(String suiteId, String caseId);

    /** The groups of all cases; the position in the list is the case's index. */
    @ReadOnly
    public List<String> groups(String suiteId, GroupBy groupBy) {
        return sql.list(
                "SELECT CASE WHEN ?::text IS NULL THEN tags[1] ELSE metadata ->> ? END AS case_group"
                        + " FROM suite_case WHERE suite_id = ? ORDER BY case_index",
                row -> row.getString("case_group"),
                groupBy.metadataKey(),
                groupBy.metadataKey(),
                suiteId);
    }

    /**
     * How many earlier cases of a suite are asked as a case is, for the cases of which that is not 0.
     *
     * @param prompts whether prompts are part of what is asked
     * @param vars the vars that are; null: all
     */
    @ReadOnly
    public Map<Integer, Integer> earlierEquals(String suiteId, boolean prompts, @Nullable Set<String> vars) {
        return sql.byKey(
                EARLIER_EQUALS,
                row -> row.getInt("case_index"),
                row -> row.getInt("earlier"),
                prompts,
                prompts,
                vars,
                vars,
                suiteId);
    }

    /** A case of a suite that is stored; {@code json} is what its parts are written as. */
    private record StoredCase(String suiteId, int index, Case value, JsonNode json) {

        List<@Nullable String> texts() {
            return value.prompts().stream().map(Message::plainPrompt).toList();
        }
    }

    /** A build that knows only texts fails at the null; otherwise it would ask something else. */
    private static List<Message> prompts(ResultSet row) throws SQLException {
        return row.getString("prompt_messages") == null
                ? Columns.strings(row, "prompts").stream().map(Message::user).toList()
                : Columns.json(row, "prompt_messages", MESSAGES);
    }

    private static Map<String, JsonNode> vars(ResultSet row) throws SQLException {
        return row.getString("vars") == null ? Map.of() : Columns.json(row, "vars", VARS);
    }

    private static @Nullable Script transform(ResultSet row) throws SQLException {
        String written = row.getString("transform");
        return written == null ? null : Json.read(written, Script.class);
    }

    private static Case read(ResultSet row) throws SQLException {
        return new Case(
                row.getString("case_id"),
                new Question(prompts(row), Columns.json(row, "context", MESSAGES), vars(row)),
                new Checks(Columns.json(row, "checks", CHECKS), row.getBigDecimal("threshold"), transform(row)),
                Columns.strings(row, "tags"),
                Columns.json(row, "metadata", METADATA),
                row.getString("workspace_subdir"));
    }
}
