package dev.assay.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.workflows.campaign.CampaignAttributes;
import io.temporal.common.SearchAttributeUpdate;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamePrefixTest {

    private static final NamePrefix TEAM = new NamePrefix("team-a");

    @Test
    void shouldLeaveNamesAsTheyAreWhenThereIsNone() {
        assertThat(NamePrefix.NONE.on(TaskQueues.ORCHESTRATION)).isEqualTo("assay");
        assertThat(NamePrefix.NONE.off("campaign/x")).contains("campaign/x");
    }

    @Test
    void shouldStandBeforeEveryName() {
        assertThat(TEAM.on(TaskQueues.provider("openai"))).isEqualTo("team-a-assay-provider-openai");
        assertThat(TEAM.off("team-a-campaign/x")).contains("campaign/x");
        assertThat(TEAM.off("campaign/x")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "assay, ''",
        "assay-evaluations, ''",
        "team-a-assay, team-a",
        "team-a-assay-evaluations, team-a",
        "assay-assay, assay",
        "assay-assay-evaluations, assay"
    })
    void shouldBeReadFromTheQueueOfAWorkflow(String queue, String prefix) {
        assertThat(NamePrefix.ofQueue(queue)).isEqualTo(new NamePrefix(prefix));
    }

    @Test
    void shouldNameTheCampaignOfAWorkflow() {
        assertThat(WorkflowIds.campaignOf(WorkflowIds.campaign("x"))).contains("x");
        assertThat(WorkflowIds.campaignOf(WorkflowIds.slice("x", 2, 3))).contains("x");
        assertThat(WorkflowIds.campaignOf("team-a-campaign/x")).isEmpty();
    }

    @Test
    void shouldStandBeforeTheNamesOfSearchAttributes() {
        assertThat(CampaignAttributes.ALL)
                .allSatisfy(key -> assertThat(TEAM.on(key).getName()).isEqualTo("team-a-" + key.getName()));
    }

    @Test
    void shouldStandBeforeTheNamesOfChangesToo() {
        SearchAttributeUpdate<?>[] changes = {
            CampaignAttributes.PHASE.valueSet("PAUSED"), CampaignAttributes.PASS_RATE.valueUnset()
        };
        assertThat(Arrays.stream(TEAM.on(changes)).map(change -> change.getKey().getName()))
                .containsExactly("team-a-Phase", "team-a-PassRate");
        assertThat(TEAM.on(changes)[0].getValue().map(String::valueOf)).contains("PAUSED");
        assertThat(TEAM.on(changes)[1].getValue().isPresent()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1a", "-a", "a b", "a/b", "ä", "a.b", "a\n", "aaaaaaaaaabbbbbbbbbbccccccccccdd"})
    void shouldBeRefusedWhenTemporalWouldNotTakeIt(String value) {
        assertThatThrownBy(() -> new NamePrefix(value)).hasMessageContaining("letters, digits");
    }
}
