package dev.assay.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.SqlState;
import dev.assay.store.StoreException;
import dev.assay.store.StoreTest;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@StoreTest
final class SqlTest {

    private static final String INSERT =
            "INSERT INTO session (session_id, loops) VALUES (?, ?) ON CONFLICT (session_id) DO NOTHING";
    private static final String COUNT = "SELECT count(*) FROM session WHERE session_id LIKE ?";

    private final Sql sql;

    SqlTest(Sql sql) {
        this.sql = sql;
    }

    @Test
    void shouldSayForEachItemWhatItChangedWhenABatchTakesSeveralRoundTrips() {
        List<Integer> items = IntStream.range(0, 2_500).boxed().toList();
        int[] counts = sql.write(() -> {
            sql.update(INSERT, "trips-2400", 1);
            return sql.batch(INSERT, items, i -> Sql.row("trips-" + i, 1));
        });
        assertThat(counts).hasSize(2_500);
        assertThat(IntStream.range(0, 2_500).filter(i -> counts[i] == 0)).containsExactly(2_400);
    }

    @Test
    void shouldAnswerWithTheItemsWhenTheirStatementsChangedARow() {
        List<String> changed = sql.write(() -> sql.changed(INSERT, List.of("a", "b", "a"), id -> Sql.row(id, 1)));
        assertThat(changed).containsExactly("a", "b");
    }

    @Test
    void shouldRunNothingWhenABatchIsEmpty() {
        assertThat(sql.write(() -> sql.batch("no statement", List.of(), item -> Sql.row())))
                .isEmpty();
    }

    @Test
    void shouldBindRowsOneAfterTheOtherWhenTheyStandInRows() {
        String bound = sql.write(() -> sql.first(
                        "SELECT concat_ws(' ', ?::text, ?::text, ?::text, ?::text, ?::text[])",
                        row -> row.getString(1),
                        "a",
                        Sql.row("b", Sql.row(null, "c")),
                        List.of("d", "e"))
                .orElseThrow());
        assertThat(bound).isEqualTo("a b c {d,e}");
    }

    @Test
    void shouldKeepNothingWhenTheWorkOfATransactionFails() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> sql.write(() -> {
                    sql.update(INSERT, "undone-outer", 1);
                    sql.write(() -> sql.update(INSERT, "undone-inner", 1));
                    throw new IllegalStateException("planted");
                }));
        assertThat(sql.<Integer>write(
                        () -> sql.first(COUNT, row -> row.getInt(1), "undone-%").orElseThrow()))
                .isZero();
    }

    @Test
    void shouldBeStoreUnavailableWhenTheConnectionIsLost() {
        AtomicReference<Throwable> ofStatement = new AtomicReference<>();
        Throwable ofTransaction = catchThrowable(() -> sql.write(() -> {
            ofStatement.set(catchThrowable(() -> sql.exists("SELECT pg_terminate_backend(pg_backend_pid())")));
            return true;
        }));

        assertThat(ofStatement.get())
                .isInstanceOfSatisfying(
                        AssayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        assertThat(SqlState.isTransient(ofTransaction)).isTrue();
    }

    @Test
    void shouldBeADefectWhenPostgresqlRefusesAStatementForGood() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> sql.write(() -> sql.update(INSERT, null, 1)))
                .withMessageContaining("23502");
    }
}
