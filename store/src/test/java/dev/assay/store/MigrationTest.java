package dev.assay.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@StoreTest
final class MigrationTest {

    @Test
    void shouldApplyEveryMigrationWhenDatabaseIsEmpty() {
        PostgresServer server = PostgresServer.shared();
        String database = server.createEmptyDatabase();
        try {
            var result = Flyway.configure()
                    .dataSource(server.url(database), server.user(), server.password())
                    .load()
                    .migrate();

            assertThat(result.success).isTrue();
            assertThat(result.migrationsExecuted).isGreaterThanOrEqualTo(8);
        } finally {
            server.dropDatabase(database);
        }
    }

    @Test
    void shouldHaveCommentOnEveryTableWhenMigrated(StoreFixture store) {
        assertThat(store.query("""
            SELECT c.relname FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'S')
              AND c.relname <> 'flyway_schema_history' AND obj_description(c.oid, 'pg_class') IS NULL\
            """)).extracting(MigrationTest::name).isEmpty();
    }

    @Test
    void shouldHaveCommentOnEveryColumnWhenMigrated(StoreFixture store) {
        assertThat(store.query("""
            SELECT c.relname || '.' || a.attname AS relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
              AND NOT a.attisdropped AND c.relname <> 'flyway_schema_history'
              AND col_description(c.oid, a.attnum) IS NULL\
            """)).extracting(MigrationTest::name).isEmpty();
    }

    @Test
    void shouldStandOnPostgresEighteenWhenTestsRun(StoreFixture store) {
        assertThat(store.count("SELECT current_setting('server_version_num')::int / 10000"))
                .isEqualTo(18);
    }

    private static @Nullable Object name(Map<String, @Nullable Object> row) {
        return row.get("relname");
    }
}
