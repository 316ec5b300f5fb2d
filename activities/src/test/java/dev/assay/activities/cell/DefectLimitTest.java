package dev.assay.activities.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.StoreFixture;
import dev.assay.store.journal.RunJournal;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A defect ends an activity for good after a few tries; an outage never does. */
final class DefectLimitTest {

    /** An activity whose tries end as a test says. */
    @ActivityInterface
    public interface Tries {
        String attempt();
    }

    private static StoreFixture store;

    private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
    private final RunningCells running = new RunningCells();
    private final AtomicInteger tries = new AtomicInteger();

    @BeforeAll
    static void open() {
        store = StoreFixture.open();
    }

    @AfterAll
    static void closeStore() {
        store.close();
    }

    @AfterEach
    void close() {
        temporal.close();
    }

    /** Runs one attempt of the activity. */
    private String attempt(Supplier<String> work) {
        DefectLimit limit = new DefectLimit(store.get(RunJournal.class), running, Duration.ofMillis(1));
        temporal.registerActivitiesImplementations((Tries) () -> limit.run(
                "unknown",
                () -> {
                    tries.incrementAndGet();
                    return work.get();
                },
                () -> "paused"));
        return temporal.newActivityStub(
                        Tries.class,
                        ActivityOptions.newBuilder()
                                .setStartToCloseTimeout(Duration.ofMinutes(1))
                                .setRetryOptions(RetryOptions.newBuilder()
                                        .setMaximumAttempts(1)
                                        .build())
                                .build())
                .attempt();
    }

    private static String fail(RuntimeException failure) {
        throw failure;
    }

    @Test
    void shouldGiveUpForGoodAfterAFewTriesThatADefectEnded() {
        assertThatThrownBy(() -> attempt(() -> fail(new IllegalStateException("a defect"))))
                .isInstanceOfSatisfying(
                        ActivityFailure.class,
                        e -> assertThat(e.getCause()).isInstanceOfSatisfying(ApplicationFailure.class, failure -> {
                            assertThat(failure.getType()).isEqualTo("INTERNAL");
                            assertThat(failure.isNonRetryable()).isTrue();
                            assertThat(failure.getOriginalMessage()).contains("IllegalStateException");
                        }));
        assertThat(tries).hasValue(DefectLimit.TRIES);
    }

    @Test
    void shouldCountAnErrorAsADefect() {
        assertThatThrownBy(() -> attempt(() -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(ActivityFailure.class);
        assertThat(tries).hasValue(DefectLimit.TRIES);
    }

    @Test
    void shouldGoOnWhenALaterTrySucceeds() {
        Queue<RuntimeException> failures =
                new ArrayDeque<>(List.of(new IllegalStateException("once"), new IllegalStateException("twice")));

        assertThat(attempt(() -> failures.isEmpty() ? "done" : fail(failures.remove())))
                .isEqualTo("done");
    }

    @Test
    void shouldLeaveAnOutageToTemporalWhichRepeatsWithoutLimit() {
        assertThatThrownBy(() -> attempt(() -> fail(new AssayException(ErrorCode.STORE_UNAVAILABLE, "away"))))
                .cause()
                .isInstanceOfSatisfying(
                        ApplicationFailure.class,
                        failure -> assertThat(failure.isNonRetryable()).isFalse());
        assertThat(tries).hasValue(1);
    }

    @Test
    void shouldLeaveWhatFailsWhileTheWorkerEndsToOtherWorkers() {
        running.drain();

        assertThatThrownBy(() -> attempt(() -> fail(new IllegalStateException("the journal is closed"))))
                .cause()
                .isInstanceOfSatisfying(
                        ApplicationFailure.class,
                        failure -> assertThat(failure.isNonRetryable()).isFalse());
        assertThat(tries).hasValue(1);
    }
}
