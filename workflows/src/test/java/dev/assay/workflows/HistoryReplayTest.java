package dev.assay.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.workflows.campaign.CampaignWorkflowImpl;
import dev.assay.workflows.evaluation.ParallelEvaluationWorkflow;
import dev.assay.workflows.evaluation.ParallelEvaluationWorkflowImpl;
import io.temporal.testing.WorkflowReplayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Workflows that run today go on under tomorrow's code. How to change one: {@code docs/changing-a-workflow.md}. */
class HistoryReplayTest {

    /** What a change without {@code Workflow.getVersion} looks like. */
    public static final class ChangedSlices implements ParallelEvaluationWorkflow {
        @Override
        public SliceResult run(Slice slice) {
            return new SliceResult(0, false, false, slice.pace());
        }
    }

    static List<Path> histories() {
        return RecordedHistories.all();
    }

    @ParameterizedTest
    @MethodSource("histories")
    void shouldReplayEveryRecordedHistory(Path history) throws IOException {
        String json = Files.readString(history);

        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecution(
                        json, CampaignWorkflowImpl.class, ParallelEvaluationWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldFindAtLeastOneHistoryOfEachWorkflow() {
        assertThat(histories())
                .extracting(history -> history.getFileName().toString())
                .contains(
                        "campaign-with-two-slices.json",
                        "campaign-paused-and-resumed.json",
                        "campaign-steered-in-temporal.json",
                        "campaign-that-is-observed.json",
                        "slice-with-a-handed-back-trial.json");
    }

    @Test
    void shouldFailWhenAWorkflowDoesSomethingElseThanItsHistorySays() throws IOException {
        String json = Files.readString(RecordedHistories.FOLDER.resolve("slice-with-a-handed-back-trial.json"));

        assertThatThrownBy(() -> WorkflowReplayer.replayWorkflowExecution(json, ChangedSlices.class))
                .isNotNull();
    }

    @Test
    @EnabledIfSystemProperty(named = "assay.recordHistories", matches = "true")
    void recordHistories() {
        RecordedHistories.recordCampaignWithTwoSlices();
        RecordedHistories.recordCampaignPausedAndResumed();
        RecordedHistories.recordCampaignSteeredInTemporal();
        RecordedHistories.recordCampaignThatIsObserved();
        RecordedHistories.recordSliceWithAHandedBackTrial();
    }
}
