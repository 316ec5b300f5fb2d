package dev.assay.activities.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.structure.JsonRule;
import dev.assay.domain.check.text.ContainsListRule;
import dev.assay.domain.check.text.EqualsRule;
import dev.assay.domain.check.text.RegexRule;
import dev.assay.domain.json.Json;
import dev.assay.work.compute.TaskKind;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.compute.pool.ComputeSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedChecksTest {

    private static final List<Check> CHECKS = List.of(
            new Check(new EqualsRule("Paris"), true),
            new Check(new RegexRule("^P"), true),
            new Check(new RegexRule("((?:){2000000000}){2000000000}"), true),
            new Check(new JsonRule(Json.tree("{\"$ref\":\"#\"}")), false));

    private static final Duration LONG = Duration.ofSeconds(60);

    private final ComputePool pool =
            new ComputePool(new ComputeSettings(1, 128, Duration.ofSeconds(1), LONG, LONG, List.of()));

    @AfterEach
    void close() {
        pool.close();
    }

    private List<CheckResult> evaluate(List<Check> checks, String response) {
        return new BoundedChecks(pool).evaluate("campaign", checks, CheckInput.of(response));
    }

    @Test
    void shouldKeepOrderAndLeaveUnscoredWhatCannotBeDecidedWhenChecksAreHostile() {
        assertThat(evaluate(CHECKS, "\"Paris\""))
                .extracting(CheckResult::status)
                .containsExactly(Status.FAILED, Status.FAILED, Status.UNSCORED, Status.UNSCORED);
    }

    @Test
    void shouldLeaveUnscoredWithTheReasonWhenACheckTakesTooLong() {
        assertThat(new BoundedChecks(new StoppedComputing(TaskKind.CHECKS))
                        .evaluate("campaign", CHECKS.subList(1, 2), CheckInput.of("x")))
                .containsExactly(new CheckResult(
                        "regex", Status.UNSCORED, null, "The check of type regex took more than 5 s.", true));
    }

    @Test
    void shouldKeepTheResultsAndTheInterruptWhenTheCallerIsInterrupted() {
        Thread.currentThread().interrupt();
        List<CheckResult> results = evaluate(CHECKS.subList(0, 2), "Paris");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(results).extracting(CheckResult::status).containsExactly(Status.PASSED, Status.PASSED);
    }

    @Test
    void shouldStartNoProcessWhenChecksAreQuick() {
        List<Check> quick = List.of(
                CHECKS.getFirst(),
                new Check(new ContainsListRule(ContainsListRule.Demand.ALL, List.of("P", "a")), true));

        assertThat(evaluate(quick, "Paris")).extracting(CheckResult::status).containsOnly(Status.PASSED);
        assertThat(pool.processes()).isEmpty();
    }

    @Test
    void shouldUseAProcessWhenTheTextIsLong() {
        assertThat(evaluate(List.of(CHECKS.getFirst()), "x".repeat(1 << 20 | 1)))
                .extracting(CheckResult::status)
                .containsExactly(Status.FAILED);
        assertThat(pool.processes()).isNotEmpty();
    }
}
