package dev.assay.activities.compute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.check.BoundedChecks;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.structure.JsonRule;
import dev.assay.domain.check.text.EqualsRule;
import dev.assay.domain.check.text.RegexRule;
import dev.assay.domain.json.Json;
import dev.assay.work.Work;
import dev.assay.work.WorkTimedOutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BoundedChecksTest {

    private static final List<Check> CHECKS = List.of(
            new Check(new EqualsRule("Paris"), true),
            new Check(new RegexRule("^P"), true),
            new Check(new RegexRule("((?:){2000000000}){2000000000}"), true),
            new Check(new JsonRule(Json.tree("{\"$ref\":\"#\"}")), false));

    @Test
    void shouldKeepOrderAndLeaveUnscoredWhatCannotBeDecidedWhenChecksAreHostile() {
        try (BoundedComputing computing = new BoundedComputing()) {
            assertThat(new BoundedChecks(computing).evaluate(CHECKS, CheckInput.of("\"Paris\"")))
                    .extracting(CheckResult::status)
                    .containsExactly(Status.FAILED, Status.FAILED, Status.UNSCORED, Status.UNSCORED);
        }
    }

    @Test
    void shouldLeaveUnscoredWithTheReasonWhenACheckTakesTooLong() {
        Computing slow = failing(() -> new WorkTimedOutException("The check of type equals", Duration.ofSeconds(5)));

        assertThat(new BoundedChecks(slow).evaluate(CHECKS.subList(0, 1), CheckInput.of("x")))
                .containsExactly(new CheckResult(
                        "equals", Status.UNSCORED, null, "The check of type equals took more than 5 s.", true));
    }

    @Test
    void shouldKeepTheResultsAndTheInterruptWhenTheCallerIsInterrupted() {
        try (BoundedComputing computing = new BoundedComputing()) {
            Thread.currentThread().interrupt();
            List<CheckResult> results =
                    new BoundedChecks(computing).evaluate(CHECKS.subList(0, 2), CheckInput.of("Paris"));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(results).extracting(CheckResult::status).containsExactly(Status.PASSED, Status.PASSED);
        }
    }

    @Test
    void shouldTellItsProcessOnceWhenWorkDoesNotEnd() throws Exception {
        AtomicInteger told = new AtomicInteger();
        AtomicBoolean released = new AtomicBoolean();
        CountDownLatch end = new CountDownLatch(1);
        try (BoundedComputing computing = new BoundedComputing(Duration.ofMillis(50))) {
            computing.whenExhausted(() -> {
                told.incrementAndGet();
                end.countDown();
            });
            for (int i = 0; i < 3; i++) {
                try {
                    computing.run("Endless work", () -> {
                        while (!released.get()) {
                            Thread.onSpinWait();
                        }
                        return 1;
                    });
                } catch (WorkTimedOutException e) {
                    assertThat(e).hasMessage("Endless work took more than 0.05 s");
                }
            }
            assertThat(end.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(told).hasValue(1);
        } finally {
            released.set(true);
        }
    }

    @Test
    void shouldCheckThousandsOfAnswersASecondWhenChecksAreSmall() throws Exception {
        int answers = 10_000;
        List<Check> checks = CHECKS.subList(0, 2);
        try (BoundedComputing computing = new BoundedComputing();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (BoundedChecks evaluator : List.of(
                    new BoundedChecks(Computing.HERE),
                    new BoundedChecks(computing),
                    new BoundedChecks(Computing.HERE),
                    new BoundedChecks(computing))) {
                CountDownLatch done = new CountDownLatch(answers);
                long began = System.nanoTime();
                for (int n = 0; n < answers; n++) {
                    callers.submit(() -> {
                        evaluator.evaluate(checks, CheckInput.of("Paris"));
                        done.countDown();
                    });
                }
                assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
                double micros = (System.nanoTime() - began) / 1e3 / answers;
                System.out.printf("An answer with two checks took %.1f µs%n", micros);
                // 600 answers a second leave 1,666 µs for each.
                assertThat(micros).isLessThan(1000);
            }
        }
    }

    private static Computing failing(java.util.function.Supplier<WorkTimedOutException> failure) {
        return new Computing() {
            @Override
            public <T extends @Nullable Object, E extends Exception> T run(String what, Work<T, E> work)
                    throws WorkTimedOutException {
                throw failure.get();
            }
        };
    }
}
