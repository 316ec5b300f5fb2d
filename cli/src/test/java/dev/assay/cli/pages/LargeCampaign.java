package dev.assay.cli.pages;

import static org.awaitility.Awaitility.await;

import dev.assay.cli.testing.Api;
import dev.assay.standalone.postgres.DatabaseAddress;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A campaign that has ended, made of rows instead of calls. */
final class LargeCampaign {

    private static final String SMALL = """
        {"name": "small", "cases": [{"id": "one", "prompt": "Yes?", "checks": [{"type": "equals", "value": "yes"}]}], "trials": %d,
         "branches": [{"id": "a", "kind": "scripted", "script": {"answers": ["yes"]}},
                      {"id": "b", "kind": "scripted", "script": {"answers": ["yes"]}},
                      {"id": "c", "kind": "scripted", "script": {"answers": ["yes"]}}], "strategy": {"type": "token-efficient"}}
        """;

    private static final String LARGE = "'large'";

    private LargeCampaign() {}

    /**
     * Makes the campaign {@code large} on the server of {@code api}: cases × three branches × trials, copied from a small campaign. About
     * every tenth cell fails, and one in 500 ended in an error.
     */
    static void make(Api api, int cases, int trials) throws Exception {
        String small = api.submit(SMALL.formatted(trials));
        await().atMost(Duration.ofSeconds(120)).until(() -> api.state(small).equals("COMPLETED"));
        try (Connection connection = connect(api);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO suite (suite_id, name, case_count) VALUES ('large', 'large', " + cases + ")");
            copy(statement, small, cases, trials);
            statement.execute("""
                INSERT INTO progress (campaign_id, kind, member, shard, cells_done, cells_passed, cells_failed)
                SELECT 'large', 'branch', branch_index, 'rows', count(*), count(*) FILTER (WHERE passed),
                    count(*) FILTER (WHERE status = 'MODEL_ERROR') FROM outcome WHERE campaign_id = 'large' GROUP BY branch_index\
                """);
            statement.execute("""
                INSERT INTO progress (campaign_id, kind, member, shard, trials_done)
                SELECT 'large', 'trial', 0, 'rows', count(*) FROM trial WHERE campaign_id = 'large'\
                """);
            statement.execute("ANALYZE");
        }
    }

    private static void copy(Statement statement, String small, int cases, int numberOfTrials) throws SQLException {
        String ofSmall = " WHERE campaign_id = '" + small + "'";
        String each = ", generate_series(0, " + (numberOfTrials * cases - 1) + ") AS o" + ofSmall + " AND ordinal = 0";
        String isError = "hashint8(o * 7 + branch_index) % 500 = 0";
        copy(
                statement,
                "suite_case",
                Map.of(
                        "suite_id",
                        LARGE,
                        "case_index",
                        "i",
                        "case_id",
                        "'case-' || i",
                        "prompts",
                        "ARRAY['What is the capital of country ' || i || '?']",
                        "tags",
                        "ARRAY['tag-' || i % 7]"),
                " JOIN campaign USING (suite_id), generate_series(0, " + (cases - 1) + ") AS i" + ofSmall);
        copy(
                statement,
                "campaign",
                Map.of("campaign_id", LARGE, "name", LARGE, "suite_id", LARGE, "case_count", "" + cases),
                ofSmall);
        copy(statement, "campaign_branch", Map.of("campaign_id", LARGE), ofSmall);
        Map<String, String> place = Map.of(
                "campaign_id", LARGE, "ordinal", "o", "case_index", "o % " + cases, "trial", "o / " + cases + " + 1");
        Map<String, String> outcome = new HashMap<>(place);
        outcome.put("status", "CASE WHEN " + isError + " THEN 'MODEL_ERROR' ELSE 'COMPLETED' END");
        outcome.put("passed", "NOT " + isError + " AND hashint8(o * 3 + branch_index) % 10 <> 0");
        copy(statement, "outcome", outcome, each);
        Map<String, String> trial = new HashMap<>(place);
        trial.put("selected_index", "abs(hashint8(o)) % 3");
        copy(statement, "trial", trial, each);
    }

    /** Rows like those of a table that {@code which} finds, with other values in some columns. */
    private static void copy(Statement statement, String table, Map<String, String> values, String which)
            throws SQLException {
        List<String> columns = new ArrayList<>();
        try (ResultSet none = statement.executeQuery("SELECT * FROM " + table + " LIMIT 0")) {
            for (int i = 1; i <= none.getMetaData().getColumnCount(); i++) {
                columns.add(none.getMetaData().getColumnName(i));
            }
        }
        statement.execute("INSERT INTO " + table + " (" + String.join(", ", columns) + ") SELECT "
                + columns.stream()
                        .map(column -> values.getOrDefault(column, "old." + column))
                        .collect(Collectors.joining(", "))
                + " FROM " + table + " AS old" + which);
    }

    /** The number that a query answers. */
    static long number(Api api, String sql) throws Exception {
        try (Connection connection = connect(api);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Connection connect(Api api) throws SQLException {
        URI address = URI.create(api.endpoints().orElseThrow().database());
        String[] login = address.getUserInfo().split(":", 2);
        String jdbc = "jdbc:postgresql://" + address.getHost() + ":" + address.getPort() + address.getPath();
        DatabaseAddress store = new DatabaseAddress(jdbc, login[0], login[1]);
        return DriverManager.getConnection(store.jdbcUrl(), store.user(), store.password());
    }
}
