package dev.assay.work.compute.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.work.compute.CheckTask;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.Task;
import dev.assay.work.compute.TaskKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TrainingTasksTest {

    @Test
    void shouldHaveEveryKindOfTaskThatRunsWhileACampaignDoes() {
        assertThat(TrainingTasks.all().stream().map(Task::kind).collect(Collectors.toSet()))
                .isEqualTo(EnumSet.complementOf(EnumSet.of(TaskKind.PREVIEW)));
    }

    @Test
    void shouldDoTheirWorkRatherThanFail() throws Exception {
        for (Task<?> task : TrainingTasks.all()) {
            assertThat(Computing.HERE.run("training", task))
                    .isNotEmpty()
                    .allSatisfy(computed -> assertThat(computed).isInstanceOf(Computed.Done.class));
        }
    }

    @Test
    void shouldPassAndFailMostChecks() throws Exception {
        for (Status status : List.of(Status.PASSED, Status.FAILED)) {
            Set<String> types = TrainingTasks.all().stream()
                    .filter(CheckTask.class::isInstance)
                    .map(CheckTask.class::cast)
                    .flatMap(task -> task.checks().stream()
                            .filter(check ->
                                    CheckTask.evaluate(check, task.input()).status() == status))
                    .map(check -> check.type())
                    .collect(Collectors.toSet());
            assertThat(types).contains("regex", "json", "xml", "html");
        }
    }
}
