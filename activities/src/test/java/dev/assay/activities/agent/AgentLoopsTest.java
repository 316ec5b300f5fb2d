package dev.assay.activities.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.Wording;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.Toolset;
import dev.assay.domain.usage.Measured;
import dev.assay.work.compute.Computing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AgentLoopsTest {

    private static final ModelChoice CHOICE = new ModelChoice("openai", "m", Thinking.OFF, Map.of());
    private static final List<Message> LONG =
            List.of(Message.user("old ".repeat(5_000)), Message.assistant("answer ".repeat(5_000)));

    /** What a loop in a window of 1,000 tokens sends. */
    private static List<Message> sent(boolean compacts) throws InterruptedException {
        Branch branch = new Branch(
                "b",
                true,
                new Agent.Model(CHOICE),
                new Wording(null, null, false),
                AgentLimits.DEFAULT,
                Toolset.NONE,
                List.of(),
                1_000,
                DeliveryWish.LIVE);
        AgentTask task = new AgentTask(
                new LoopId("s", "b", 1),
                branch,
                LONG,
                List.of(Message.user("Next?")),
                1,
                1,
                Duration.ofSeconds(30),
                100);
        List<ModelRequest> requests = new ArrayList<>();
        try (Toolboxes toolboxes = new Toolboxes(ToolPolicy.NONE, Map.of(), Computing.HERE)) {
            AgentContext context = new AgentContext(
                    request -> {
                        requests.add(request);
                        return new ModelReply(Message.assistant("Yes."), Measured.NONE);
                    },
                    System::nanoTime,
                    AgentEvents.NONE,
                    LoopRecord.NONE,
                    () -> Instant.EPOCH);
            new AgentLoops(toolboxes, Computing.HERE).of(compacts).run(task, context);
        }
        return requests.getFirst().messages();
    }

    @Test
    void shouldSendTheWholeConversationWhenItIsNotToBeCompacted() throws Exception {
        List<Message> whole = new ArrayList<>(LONG);
        whole.add(Message.user("Next?"));

        assertThat(sent(true)).isNotEqualTo(whole);
        assertThat(sent(false)).isEqualTo(whole);
    }
}
