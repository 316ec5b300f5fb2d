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
import dev.assay.activities.replay.ScriptedClient;
import dev.assay.activities.system.Systems;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.work.compute.Computing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentClientsTest {

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

    private static final Systems SYSTEMS =
            new Systems(new Toolboxes(ToolPolicy.NONE, Map.of(), Computing.HERE), Computing.HERE);

    private static final ModelChoice CHOICE = new ModelChoice("ollama", "m", Thinking.OFF, Map.of());

    @Test
    void shouldFindTheClientOfEveryKind() {
        try (ProviderCatalog catalog = ProviderCatalog.load(null, Map.of())) {
            AgentClients clients = new AgentClients(catalog, EMPTY, SYSTEMS);

            assertThat(clients.clientOf(new Agent.Model(CHOICE), "campaign")).isNotNull();
            assertThat(clients.clientOf(new Agent.Replay(CHOICE, "c1"), "campaign"))
                    .isInstanceOf(ReplayClient.class);
            assertThat(clients.clientOf(
                            new Agent.Scripted(new Agent.Script(List.of("a"), Duration.ZERO, List.of(), null)),
                            "campaign"))
                    .isInstanceOf(ScriptedClient.class);
            assertThatThrownBy(() -> clients.clientOf(
                            new Agent.Model(new ModelChoice("openai", "m", Thinking.OFF, Map.of())), "campaign"))
                    .isInstanceOf(ModelException.class)
                    .hasMessageContaining("OPENAI_API_KEY");
        }
    }

    @Test
    void shouldRunScriptThroughTheLoop() throws Exception {
        Agent agent = new Agent.Scripted(new Agent.Script(List.of("Paris."), Duration.ZERO, List.of(), null));
        try (ProviderCatalog catalog = ProviderCatalog.load(null, Map.of())) {
            AgentTask task = new AgentTask(
                    new LoopId("s", "b", 1),
                    new Branch("b", agent, null, AgentLimits.DEFAULT),
                    List.of(),
                    List.of(Message.user("Capital?")),
                    1,
                    1,
                    Duration.ofSeconds(5),
                    10);

            AgentResult result = new AgentLoop(System::nanoTime, AgentEvents.NONE)
                    .run(task, new AgentClients(catalog, EMPTY, SYSTEMS).clientOf(agent, "campaign"));

            assertThat(Transcript.response(result.said().newMessages())).isEqualTo("Paris.");
        }
    }
}
