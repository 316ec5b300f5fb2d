package dev.assay.activities.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.AgentLoop;
import dev.assay.activities.agent.AgentResult;
import dev.assay.activities.agent.AgentTask;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.replay.CassetteSource;
import dev.assay.activities.replay.ReplayClient;
import dev.assay.activities.replay.Replays;
import dev.assay.activities.replay.Scripts;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.replay.CassetteEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunnableKindsTest {

    private static final CassetteSource EMPTY = new CassetteSource() {
        @Override
        public Optional<CassetteEntry> find(String cassetteId, String key, int trial) {
            return Optional.empty();
        }

        @Override
        public List<Integer> recordedTrials(String cassetteId, String key) {
            return List.of();
        }
    };

    private static final RunnableKind.Asking ASKING =
            new RunnableKind.Asking("campaign", Map.of(), "campaign", CodeFiles.NONE, "b");

    private static final ModelChoice CHOICE = new ModelChoice("ollama", "m", Thinking.OFF, Map.of());

    @Test
    void shouldAskEveryKindItsOwnWay() {
        try (ProviderCatalog catalog = ProviderCatalog.load(null, Map.of())) {
            AskedModels models = new AskedModels(catalog);
            Replays replays = new Replays(EMPTY);

            assertThat(models.client(new Agent.Model(CHOICE), ASKING)).isNotNull();
            assertThat(replays.client(new Agent.Replay(CHOICE, "c1"), ASKING)).isInstanceOf(ReplayClient.class);
            assertThat(replays.compacts())
                    .as("a recorded answer is found by the whole")
                    .isFalse();
            assertThatThrownBy(() -> models.client(
                            new Agent.Model(new ModelChoice("openai", "m", Thinking.OFF, Map.of())), ASKING))
                    .isInstanceOf(ModelException.class)
                    .hasMessageContaining("OPENAI_API_KEY");
        }
    }

    @Test
    void shouldNameTheKindsThatNothingRunsWhenTheWorkerStarts() {
        assertThatThrownBy(() -> new RunnableKinds(List.of(new Scripts(), new Replays(EMPTY))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("model, command, http")
                .hasMessageContaining("RunnableKind");
    }

    @Test
    void shouldRunScriptThroughTheLoop() throws Exception {
        Agent.Scripted agent = new Agent.Scripted(new Agent.Script(List.of("Paris."), Duration.ZERO, List.of(), null));
        AgentTask task = new AgentTask(
                new LoopId("s", "b", 1),
                new Branch("b", agent, null, AgentLimits.DEFAULT),
                List.of(),
                List.of(Message.user("Capital?")),
                1,
                1,
                Duration.ofSeconds(5),
                10);

        AgentResult result =
                new AgentLoop(System::nanoTime, AgentEvents.NONE).run(task, new Scripts().client(agent, ASKING));

        assertThat(Transcript.response(result.said().newMessages())).isEqualTo("Paris.");
    }
}
