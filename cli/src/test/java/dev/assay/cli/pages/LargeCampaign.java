package dev.assay.cli.pages;

import static org.awaitility.Awaitility.await;

import dev.assay.cli.postgres.DatabaseAddress;
import dev.assay.cli.testing.Api;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** A campaign that has ended, made of rows instead of calls. */
final class LargeCampaign {

    private static final String SMALL = """
        {"name": "small", "cases": [{"id": "one", "prompt": "Yes?", "checks": [{"type": "equals", "value": "yes"}]}], "trials": %d,
         "branches": [{"id": "a", "kind": "scripted", "script": {"answers": ["yes"]}},
                      {"id": "b", "kind": "scripted", "script": {"answers": ["yes"]}},
                      {"id": "c", "kind": "scripted", "script": {"answers": ["yes"]}}], "strategy": {"type": "token-efficient"}}
        """;

    private LargeCampaign() {}

    /** Makes the campaign {@code large} on the server of {@code api}, beside a small one. */
    static void make(Api api, int cases, int trials) throws Exception {
        String small = api.submit(SMALL.formatted(trials));
        await().atMost(Duration.ofSeconds(120)).until(() -> api.state(small).equals("COMPLETED"));
        try (Connection connection = connect(api);
                Statement statement = connection.createStatement()) {
            for (String sql : rowsLike(small, cases, trials)) {
                statement.execute(sql);
            }
        }
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

    /**
     * SQL that makes the campaign {@code large}: so many cases × three branches × trials. About every tenth cell fails, and one in
     * 500 ended in an error.
     *
     * @param small a campaign of one case, three branches and as many trials that has completed: its rows say what is not told here
     */
    private static List<String> rowsLike(String small, int cases, int numberOfTrials) {
        String ofSmall = "WHERE campaign_id = '" + small + "'";
        String trials =
                ", generate_series(0, " + (numberOfTrials * cases - 1) + ") AS o " + ofSmall + " AND ordinal = 0";
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
