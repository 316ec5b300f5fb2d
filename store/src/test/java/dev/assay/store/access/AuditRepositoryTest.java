package dev.assay.store.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.page.Page;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@StoreTest
final class AuditRepositoryTest {

    private static final Instant LONG_AGO = Instant.parse("2001-01-01T00:00:00Z");

    /** Three rows have one time. */
    private static final String MANY = """
        INSERT INTO audit (at, actor, action, origin, status, object, refused)
        SELECT timestamptz '2001-01-01Z' + i / 3 * interval '1 s', 'who-' || i % 10, 'GET /', '10.0.0.1', 200,
            'object-' || i % 20, i % 10 > 0 FROM generate_series(0, 19999) i
        """;

    private final AuditRepository audit;
    private final StoreFixture store;

    AuditRepositoryTest(StoreFixture store) {
        this.store = store;
        this.audit = store.get(AuditRepository.class);
    }

    private static RefusedRequest refused(String who) {
        return new RefusedRequest(
                LONG_AGO, new Actor(who, "10.0.0.1"), "GET /api/v1/campaigns/a\u0000b", "a\u0000b", 401);
    }

    @Test
    void shouldKeepOneRowWhenItIsWrittenAgain() {
        List<Long> numbers = audit.numbers(2);
        List<RefusalRow> rows = List.of(
                new RefusalRow(numbers.getFirst(), refused("repeats"), 0),
                new RefusalRow(numbers.getLast(), refused("repeats"), 3));
        audit.writeRefusals(rows);
        audit.writeRefusals(rows);
        audit.writeRefusals(List.of(new RefusalRow(numbers.getFirst(), refused("repeats"), 5)));

        List<AuditRow> found = audit.page(new AuditFilter("repeats", null, null, null, true), null, 10)
                .items();
        assertThat(found).extracting(AuditRow::repeated).containsExactly(3L, 5L);
        assertThat(found.getFirst().at()).isEqualTo(LONG_AGO);
        assertThat(found.getFirst().object()).isEqualTo("a b");
    }

    @Test
    void shouldHideTokensThatStandInAnAddress() {
        String token = "assay_" + "0a".repeat(32);
        audit.begin(new Actor("hides", "here"), "POST /api/v1/campaigns/" + token + "/cancel", token);

        assertThat(audit.page(new AuditFilter("hides", null, null, null, null), null, 1)
                        .items())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.what()).isEqualTo("POST /api/v1/campaigns/[token]/cancel");
                    assertThat(row.object()).isEqualTo("[token]");
                });
    }

    @Test
    void shouldMarkAChangeWhenItsAnswerIsARefusal() {
        audit.end(audit.begin(new Actor("marked", "here"), "POST /", null), 403, null);
        assertThat(audit.page(new AuditFilter("marked", null, null, null, true), null, 1)
                        .items())
                .hasSize(1);
    }

    @Test
    void shouldPageThroughAllRowsWhenManyHaveOneTime() throws Exception {
        store.execute(MANY);
        store.execute("ANALYZE audit");
        Instant end = LONG_AGO.plusSeconds(3_000);
        AuditFilter filter = new AuditFilter(null, null, LONG_AGO.plusSeconds(1_000), end, true);
        List<AuditRow> all = new ArrayList<>();
        String next = null;
        do {
            Page<AuditRow> page = audit.page(filter, next, 700);
            all.addAll(page.items());
            next = page.nextPageToken();
        } while (next != null);

        assertThat(all).hasSize(5_400).doesNotHaveDuplicates();
        assertThat(all)
                .isSortedAccordingTo(Collections.reverseOrder(
                        java.util.Comparator.comparing(AuditRow::at).thenComparing(AuditRow::id)));
        assertThat(all).allSatisfy(row -> assertThat(row.at()).isBefore(end));
        Stream.of("actor = 'who-7'", "object = 'object-7'", "refused", "NOT refused", "at < '2001-01-02'", "true")
                .forEach(this::looksAtAnIndexOnly);
    }

    /** The plan sorts nothing and reads no more rows than a page has. */
    private void looksAtAnIndexOnly(String condition) {
        String plan = store.query(
                        "EXPLAIN SELECT * FROM audit WHERE (at, audit_id) < ('2001-01-01 01:00Z', 100000) AND "
                                + condition + " ORDER BY at DESC, audit_id DESC LIMIT 101")
                .toString();
        assertThat(plan).as("%s", condition).contains("Index Scan Backward").doesNotContain("Sort", "Seq Scan");
    }
}
