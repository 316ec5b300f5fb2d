package dev.assay.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupCommitTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    /** Whoever waits for the journal would wait for ever if its thread ended. */
    @Test
    void shouldFailTheEntryAndGoOnWhenAnErrorIsThrown() throws Exception {
        try (GroupCommit<String, Integer> commit = new GroupCommit<>("journal", GroupCommitTest::owner, entries -> {
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
                new GroupCommit<>("journal", GroupCommitTest::owner, entry -> entry.startsWith("patient"), entries -> {
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
        GroupCommit<String, Integer> commit =
                new GroupCommit<>("journal", GroupCommitTest::owner, entry -> true, entries -> {
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
        try (GroupCommit<String, Integer> commit =
                new GroupCommit<>("journal", GroupCommitTest::owner, entries -> List.of())) {
            assertThat(commit.submit("lost")).failsWithin(SOON);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first word. */
    private static String owner(String entry) {
        return entry.split(" ")[0];
    }

    private static RuntimeException refusal(String state) {
        return new IllegalStateException(new SQLException("planted", state));
    }

    private static void awaitRefusal(GroupCommit<String, Integer> commit) {
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(commit.refusals()).containsOnlyKeys("refused"));
    }

    /** What one may not write for now is kept in order, and written when it may; others go on meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"53100", "25006"})
    void shouldHoldUpNobodyElseWhenOneIsRefusedForNow(String state) throws Exception {
        AtomicBoolean refuses = new AtomicBoolean(true);
        List<String> written = new CopyOnWriteArrayList<>();
        try (GroupCommit<String, Integer> commit = new GroupCommit<>("journal", GroupCommitTest::owner, entries -> {
            if (refuses.get() && entries.stream().anyMatch(entry -> entry.startsWith("refused"))) {
                throw refusal(state);
            }
            written.addAll(entries);
            return entries.stream().map(String::length).toList();
        })) {
            List<CompletableFuture<Integer>> kept = new ArrayList<>();
            for (int i = 0; i < 700; i++) {
                kept.add(commit.submit("refused " + i));
                long begin = System.nanoTime();
                assertThat(commit.submit("other " + i)).succeedsWithin(SOON);
                assertThat(System.nanoTime() - begin).isLessThan(500_000_000);
            }
            assertThat(kept).noneMatch(CompletableFuture::isDone);
            awaitRefusal(commit);
            assertThat(commit.passes("other")).isCompleted();
            CompletableFuture<Void> passes = commit.passes("refused");
            assertThat(passes).isNotDone();

            refuses.set(false);

            assertThat(passes).succeedsWithin(SOON);
            for (CompletableFuture<Integer> one : kept) {
                assertThat(one).succeedsWithin(SOON);
            }
            assertThat(written.stream().filter(entry -> entry.startsWith("refused")))
                    .containsExactlyElementsOf(IntStream.range(0, 700)
                            .mapToObj(i -> "refused " + i)
                            .toList());
            assertThat(commit.refusals()).isEmpty();
        }
    }

    /** Each refused entry takes transactions of its own: others wait for none of them. */
    @Test
    void shouldWriteOthersWhileItFindsWhatIsRefused() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        AtomicInteger refusals = new AtomicInteger();
        try (GroupCommit<String, Integer> commit = new GroupCommit<>("journal", GroupCommitTest::owner, entries -> {
            if (entries.stream().anyMatch(entry -> entry.startsWith("refused"))) {
                if (refusals.incrementAndGet() > 1) {
                    await(stuck);
                }
                throw refusal("54000");
            }
            return entries.stream().map(String::length).toList();
        })) {
            CompletableFuture<Integer> refused = commit.submit("refused 1");
            Awaitility.await().atMost(SOON).until(() -> refusals.get() == 2);

            for (int i = 0; i < 100; i++) {
                commit.submit("refused more " + i);
                assertThat(commit.submit("other " + i)).succeedsWithin(SOON);
            }
            assertThat(refused).isNotDone();
            stuck.countDown();
            assertThat(refused).failsWithin(SOON);
        }
    }

    @Test
    void shouldFailOnlyWhatIsRefusedForGood() throws Exception {
        AtomicInteger transactions = new AtomicInteger();
        CountDownLatch gathered = new CountDownLatch(1);
        try (GroupCommit<String, Integer> commit = new GroupCommit<>("journal", GroupCommitTest::owner, entries -> {
            await(gathered);
            transactions.incrementAndGet();
            if (entries.contains("a 77")) {
                throw refusal("42501");
            }
            return entries.stream().map(String::length).toList();
        })) {
            List<CompletableFuture<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.add(commit.submit("a " + i));
                all.add(commit.submit("b " + i));
            }
            gathered.countDown();

            for (int i = 0; i < all.size(); i++) {
                if (i == 2 * 77) {
                    assertThat(all.get(i)).failsWithin(SOON);
                } else {
                    assertThat(all.get(i)).succeedsWithin(SOON);
                }
            }
            assertThat(transactions.get()).as("halves, not one by one").isLessThan(25);
        }
    }

    @Test
    void shouldFailWhatIsRefusedForNowWhenTheJournalIsClosed() throws Exception {
        GroupCommit<String, Integer> commit = new GroupCommit<>("journal", GroupCommitTest::owner, entries -> {
            if (entries.contains("refused")) {
                throw refusal("53100");
            }
            return entries.stream().map(String::length).toList();
        });
        CompletableFuture<Integer> kept = commit.submit("refused");
        assertThat(commit.submit("other")).succeedsWithin(SOON);
        awaitRefusal(commit);

        commit.close();

        assertThat(kept).isCompletedExceptionally();
    }

    @Test
    void shouldWriteWhatWasRefusedForNowWhenTheJournalIsClosedAfterTheRefusal() throws Exception {
        AtomicBoolean refuses = new AtomicBoolean(true);
        GroupCommit<String, Integer> commit = new GroupCommit<>("journal", GroupCommitTest::owner, entries -> {
            if (refuses.get() && entries.contains("refused")) {
                throw refusal("53100");
            }
            return entries.stream().map(String::length).toList();
        });
        CompletableFuture<Integer> kept = commit.submit("refused");
        assertThat(commit.submit("other")).succeedsWithin(SOON);
        awaitRefusal(commit);

        refuses.set(false);
        commit.close();

        assertThat(kept).isCompletedWithValue("refused".length());
    }
}
