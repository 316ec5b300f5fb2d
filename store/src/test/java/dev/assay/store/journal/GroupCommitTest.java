package dev.assay.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class GroupCommitTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    /** Whoever waits for the journal would wait for ever if its thread ended. */
    @Test
    void shouldFailTheEntryAndGoOnWhenAnErrorIsThrown() throws Exception {
        try (GroupCommit<String, Integer> commit = new GroupCommit<>("journal", entries -> {
            if (entries.contains("error")) {
                throw new StackOverflowError("planted");
            }
            return entries.stream().map(String::length).toList();
        })) {
            CompletableFuture<Integer> bad = commit.submit("error");
            CompletableFuture<Integer> good = commit.submit("good");

            assertThat(bad).failsWithin(SOON).withThrowableThat().withRootCauseInstanceOf(StackOverflowError.class);
            assertThat(good).succeedsWithin(SOON).isEqualTo(4);
            assertThat(commit.submit("more")).succeedsWithin(SOON).isEqualTo(4);
        }
    }

    /** Each group is one transaction: what nobody waits for shares them. */
    @Test
    void shouldWritePatientEntriesTogetherAndAtOnceWhenSomebodyWaits() throws Exception {
        List<List<String>> groups = new CopyOnWriteArrayList<>();
        try (GroupCommit<String, Integer> commit =
                new GroupCommit<>("journal", entry -> entry.startsWith("patient"), entries -> {
                    groups.add(entries);
                    return entries.stream().map(String::length).toList();
                })) {
            long begin = System.nanoTime();
            CompletableFuture<Integer> first = commit.submit("patient 1");
            CompletableFuture<Integer> second = commit.submit("patient 2");
            assertThat(first).succeedsWithin(SOON);
            assertThat(second).succeedsWithin(SOON);
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(GroupCommit.PATIENCE_MS * 1_000_000);
            assertThat(groups).containsExactly(List.of("patient 1", "patient 2"));

            groups.clear();
            int rounds = 100;
            begin = System.nanoTime();
            for (int round = 0; round < rounds; round++) {
                var _ = commit.submit("patient");
                assertThat(commit.submit("now")).succeedsWithin(SOON);
            }
            assertThat(System.nanoTime() - begin).isLessThan(rounds * GroupCommit.PATIENCE_MS * 1_000_000);
            assertThat(groups.stream().flatMap(List::stream)).hasSize(2 * rounds);
        }
    }

    @Test
    void shouldWriteWhatIsPatientWhenTheJournalIsClosed() throws Exception {
        List<String> written = new CopyOnWriteArrayList<>();
        GroupCommit<String, Integer> commit = new GroupCommit<>("journal", entry -> true, entries -> {
            written.addAll(entries);
            return entries.stream().map(String::length).toList();
        });
        CompletableFuture<Integer> last = commit.submit("last");

        commit.close();

        assertThat(last).isCompletedWithValue(4);
        assertThat(written).containsExactly("last");
    }

    @Test
    void shouldFailAnEntryWhenTheTransactionHasNoResultForIt() throws Exception {
        try (GroupCommit<String, Integer> commit = new GroupCommit<>("journal", entries -> List.of())) {
            assertThat(commit.submit("lost")).failsWithin(SOON);
        }
    }
}
