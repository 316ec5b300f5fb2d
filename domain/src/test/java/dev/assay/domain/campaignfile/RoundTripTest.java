package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.AgentCost;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is stored reads back to the same definition, over many generated campaigns. */
class RoundTripTest {

    private static final int CAMPAIGNS = 1_000;
    private static final List<String> TEXTS =
            List.of("a", "ünïcødé", "two\nlines", "\"quoted\"", "😀", " spaced ", "off", "1.0");

    private final Random random = new Random(42);

    @Test
    void shouldReadTheSameDefinitionWhenAnyCampaignIsStored() {
        for (int i = 0; i < CAMPAIGNS; i++) {
            CampaignSubmission submission = CampaignReader.read(campaign(), CampaignFile.OFFER);

            CampaignDefinition stored = CampaignReader.readStored(Json.tree(Json.write(submission.document())));

            assertThat(stored).isEqualTo(submission.definition());
            assertThat(stored.branches())
                    .extracting(Branch::agent)
                    .allMatch(agent -> AgentKinds.isFree(AgentKinds.of(agent).word())
                            == agent.cost() instanceof AgentCost.Nothing);
            // A stored document is in its final form: storing what it says again changes nothing.
            assertThat(DefinitionWriter.write(stored, null).toString())
                    .isEqualTo(withoutDescription(submission.document()).toString());
        }
    }

    private static JsonNode withoutDescription(JsonNode document) {
        ObjectNode copy = document.deepCopy();
        copy.remove("description");
        return copy;
    }

    private ObjectNode campaign() {
        ObjectNode document = Json.mapper().createObjectNode();
        document.put("name", "campaign " + random.nextInt(1000));
        maybe(() -> document.put("description", text()));
        document.putArray("cases").addObject().put("id", "c").put("prompt", "p");
        int branches = 1 + random.nextInt(4);
        ArrayNode list = document.putArray("branches");
        for (int i = 0; i < branches; i++) {
            ObjectNode branch = list.addObject().put("id", "b" + i);
            agent(branch);
            maybe(() -> branch.put("systemPrompt", text()));
            maybe(() -> branch.set("limits", branchLimits()));
        }
        maybe(() -> document.put("trials", 1 + random.nextInt(1000)));
        maybe(() -> document.set("strategy", strategy(branches)));
        maybe(() -> document.set("gate", gate(branches)));
        maybe(() -> document.set("limits", limits()));
        maybe(() -> document.putArray("reducers").add("pass_at_1").add("median"));
        return document;
    }

    private void agent(ObjectNode agent) {
        switch (random.nextInt(3)) {
            case 0 -> {
                maybe(() -> agent.put("kind", "model"));
                choice(agent);
            }
            case 1 -> {
                agent.put("kind", "replay");
                choice(agent);
                agent.putArray("cassette").add(entry());
            }
            default -> agent.put("kind", "scripted").set("script", script());
        }
    }

    private JsonNode entry() {
        String key = "%064x".formatted(random.nextInt(3));
        return CampaignDocument.parse(RecordedAnswers.ENTRY.replace(RecordedAnswers.KEY, key));
    }

    private void choice(ObjectNode agent) {
        agent.put("provider", "anthropic").put("model", "claude-" + random.nextInt(10));
        maybe(() -> agent.put(
                "thinking",
                List.of("off", "minimal", "low", "medium", "high", "xhigh", "max")
                        .get(random.nextInt(7))));
        maybe(() -> agent.put("thinkingOptional", random.nextBoolean()));
        maybe(() -> agent.put("thinking", false));
        maybe(() -> {
            ObjectNode parameters = agent.putObject("parameters");
            maybe(() -> parameters.put("temperature", number(2)));
            maybe(() -> parameters.put("topP", number(1)));
            maybe(() -> parameters.put("maxOutputTokens", 1 + random.nextInt(100_000)));
            maybe(() -> parameters.put("seed", random.nextInt()));
            maybe(() -> parameters.put("stop", text()));
            maybe(() -> parameters.putArray("stop").add(text()).add(text()));
            maybe(() -> parameters.put("frequencyPenalty", number(2).negate()));
            maybe(() -> parameters.put("presencePenalty", random.nextDouble()));
            maybe(() -> parameters
                    .putObject("responseFormat")
                    .put("strict", random.nextBoolean())
                    .putObject("schema")
                    .put("title", text()));
        });
    }

    private ObjectNode script() {
        ObjectNode script = Json.mapper().createObjectNode();
        script.putArray("answers").add(text()).add("");
        maybe(() -> script.put("delayMs", random.nextInt(1000)));
        maybe(() -> script.putArray("failures")
                .addObject()
                .put("status", 400 + random.nextInt(200))
                .put("retryAfterSeconds", number(100)));
        maybe(() -> script.putArray("failures").addObject().put("status", 503).putNull("retryAfterSeconds"));
        maybe(() -> script.putObject("usage").put("input", random.nextInt(99)).put("output", 4.0));
        maybe(() -> script.putObject("usage").put("output", random.nextInt(99)).putNull("reasoning"));
        return script;
    }

    private ObjectNode strategy(int branches) {
        ObjectNode strategy = Json.mapper().createObjectNode();
        List<String> types = List.of(
                "pick-first",
                "token-efficient",
                "elaborate",
                "lowest-cost",
                "lowest-latency",
                "highest-score",
                "llm-judge",
                "pairwise",
                "custom",
                "transparent");
        String type = types.get(random.nextInt(branches == 1 ? types.size() : types.size() - 1));
        strategy.put("type", type);
        if (type.equals("highest-score")) {
            maybe(() -> strategy.put("ties", "first"));
        }
        if (type.equals("custom")) {
            strategy.put("name", "mine");
            maybe(() -> {
                ObjectNode models =
                        strategy.put("maxAsks", 1 + random.nextInt(100)).putObject("models");
                agent(models.putObject("grader"));
                agent(models.putObject("a b"));
            });
        }
        if (type.equals("pairwise")) {
            maybe(() -> strategy.put("rounds", 1 + random.nextInt(20)));
        }
        if (type.equals("llm-judge") || type.equals("pairwise")) {
            if (random.nextBoolean()) {
                judge(strategy.putObject("judge"));
            } else {
                ArrayNode panel = strategy.putArray("panel");
                for (int i = 0; i < 2 + random.nextInt(9); i++) {
                    judge(panel.addObject());
                }
            }
            maybe(() -> strategy.put("systemPrompt", text()));
            maybe(() -> strategy.put("reading", random.nextBoolean() ? "one-number" : "first-number"));
            maybe(() -> strategy.put("reply", random.nextBoolean() ? "plain" : "structured"));
            maybe(() -> strategy.put("fence", random.nextBoolean()));
            maybe(() -> strategy.put("swapPositions", random.nextBoolean()));
            if (type.equals("llm-judge")) {
                maybe(() -> strategy.put("rotate", 1 + random.nextInt(10)));
            }
            maybe(() -> strategy.put(
                    "ties", List.of("undecided", "first", "lowest-cost").get(random.nextInt(3))));
        }
        return strategy;
    }

    private void judge(ObjectNode judge) {
        agent(judge);
        maybe(() -> judge.put("maxContextTokens", 1 + random.nextInt(1_000_000)));
    }

    private ObjectNode gate(int branches) {
        ObjectNode gate = Json.mapper().createObjectNode();
        maybe(() -> gate.put("passThreshold", random.nextDouble()));
        maybe(() -> gate.put("suiteThreshold", number(1)));
        maybe(() -> gate.putNull("suiteThreshold"));
        maybe(() -> gate.putArray("branches").add("b" + random.nextInt(branches)));
        maybe(() -> gate.put("errors", random.nextBoolean() ? "unknown" : "fail"));
        maybe(() -> gate.put("maxErrorRate", number(1)));
        switch (random.nextInt(4)) {
            case 0 -> gate.put("minAgreement", number(1));
            case 1 -> gate.putObject("rule").put("threshold", number(1)).put("alpha", 0.01);
            case 2 ->
                gate.putObject("baseline")
                        .put("campaign", "earlier")
                        .put("branch", "b0")
                        .put("maxDrop", number(1));
            default -> gate.putObject("baseline").put("campaign", "earlier");
        }
        return gate;
    }

    private ObjectNode limits() {
        ObjectNode limits = Json.mapper().createObjectNode();
        maybe(() -> limits.put("maxConcurrent", 1 + random.nextInt(10_000)));
        maybe(() -> limits.put("timeoutSeconds", number(1000).add(BigDecimal.ONE)));
        maybe(() -> limits.put("maxAttempts", 1 + random.nextInt(100)));
        maybe(() -> limits.put("budgetUsd", number(1000).add(BigDecimal.ONE)));
        return limits;
    }

    private ObjectNode branchLimits() {
        ObjectNode limits = Json.mapper().createObjectNode();
        maybe(() -> limits.put("maxTurns", 1 + random.nextInt(100)));
        maybe(() -> limits.put("maxTokens", 1 + random.nextLong(1_000_000_000_000L)));
        maybe(() -> limits.put("maxSeconds", number(1000).add(BigDecimal.ONE)));
        maybe(() -> limits.put("maxCostUsd", new BigDecimal("0.10")));
        return limits;
    }

    /** From 0 to {@code max}, with zeros at the end more often than not. */
    private BigDecimal number(int max) {
        int scale = random.nextInt(4);
        return BigDecimal.valueOf(random.nextInt(max * (int) Math.pow(10, scale) + 1), scale);
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private void maybe(Runnable change) {
        if (random.nextBoolean()) {
            change.run();
        }
    }
}
