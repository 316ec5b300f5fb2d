package dev.assay.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    @Test
    void shouldFailAnEntryWhenTheTransactionHasNoResultForIt() throws Exception {
        try (GroupCommit<String, Integer> commit = new GroupCommit<>("journal", entries -> List.of())) {
            assertThat(commit.submit("lost")).failsWithin(SOON);
        }
    }
}
