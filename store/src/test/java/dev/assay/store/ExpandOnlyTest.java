package dev.assay.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The previous build runs on the new schema during an upgrade and after a rollback (docs/upgrading.md). */
final class ExpandOnlyTest {

    /** What the build before may still read or write, taken away: a release after the last build that needed it, and listed here. */
    private static final Set<String> CONTRACTS = Set.of("V19__evaluations.sql");

    private static final Path MIGRATIONS = Path.of("../migrations/src/main/resources/db/migration");

    /** What a statement that knows nothing of the change could fail on. */
    private static final List<Pattern> BREAKING = Stream.of(
                    "drop\\s+(table|column|schema|type|function|sequence|trigger)\\b",
                    "drop\\s+view\\s+(if\\s+exists\\s+)?(?<view>\\w+)(?![\\s\\S]*create\\s+view\\s+\\k<view>\\b)",
                    "drop\\s+default\\b",
                    "\\brename\\b",
                    "\\bset\\s+not\\s+null\\b",
                    "alter\\s+column\\s+\\w+\\s+(set\\s+data\\s+)?type\\b",
                    "add\\s+column\\s+(?![^,;]*\\bdefault\\b)[^,;]*\\bnot\\s+null\\b")
            .map(expression -> Pattern.compile(expression, Pattern.CASE_INSENSITIVE))
            .toList();

    static List<Path> migrations() throws IOException {
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            return files.sorted().toList();
        }
    }

    private static boolean isBreaking(String sql) {
        String statements = String.join(
                "\n",
                Arrays.stream(sql.split("\n"))
                        .map(line -> line.replaceFirst("--.*", ""))
                        .toList());
        return BREAKING.stream().anyMatch(pattern -> pattern.matcher(statements).find());
    }

    @ParameterizedTest
    @MethodSource("migrations")
    void shouldLeaveThePreviousBuildWhatItNeedsUnlessListed(Path migration) throws IOException {
        assertThat(isBreaking(Files.readString(migration)))
                .as("whether it takes away or demands what the previous build does not know of")
                .isEqualTo(CONTRACTS.contains(String.valueOf(migration.getFileName())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER TABLE a DROP COLUMN b",
                "ALTER TABLE a ADD COLUMN c int,\n DROP COLUMN b",
                "drop table if exists a",
                "ALTER TABLE a RENAME COLUMN b TO c",
                "ALTER TABLE a ALTER COLUMN b SET NOT NULL",
                "ALTER TABLE a ALTER COLUMN b TYPE bigint",
                "ALTER TABLE a ALTER COLUMN b DROP DEFAULT",
                "ALTER TABLE a ADD COLUMN b text NOT NULL",
                "DROP VIEW v; CREATE VIEW w AS SELECT 1"
            })
    void shouldSeeWhatBreaksThePreviousBuild(String sql) {
        assertThat(isBreaking(sql)).isTrue();
    }

    @Test
    void shouldLetTheSchemaGrow() {
        assertThat(isBreaking("""
            -- DROP TABLE a is what nobody may do
            CREATE TABLE a (b text NOT NULL);
            ALTER TABLE a ADD COLUMN c text NOT NULL DEFAULT '', ADD COLUMN d int;
            ALTER TABLE a DROP CONSTRAINT e;
            ALTER TABLE a ALTER COLUMN b DROP NOT NULL;
            DROP VIEW v;
            CREATE VIEW v AS SELECT 1;
            """)).isFalse();
    }
}
