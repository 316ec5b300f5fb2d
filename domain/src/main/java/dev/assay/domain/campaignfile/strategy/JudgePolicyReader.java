package dev.assay.domain.campaignfile.strategy;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.TiePolicy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The reader of judges and the way they judge: fields of the strategy. */
public final class JudgePolicyReader {

    static final Fields JUDGE = new Fields(
            "judge",
            Stream.of(
                            Stream.of("id"),
                            AgentReader.fields("judge").names().stream(),
                            Stream.of("maxContextTokens"),
                            DeliveryReader.NAMES.stream())
                    .flatMap(names -> names)
                    .toList());

    private static final NumberRule CONTEXT_TOKENS = NumberRule.whole(1, 1_000_000_000);
    private static final NumberRule ROTATE = NumberRule.whole(1, JudgePolicy.MAX_ROTATE);
    private static final Map<String, JudgeFormat.Reply> REPLIES = JudgeFormat.Reply.byWord();

    private static final Map<String, JudgeFormat.Reading> READINGS = JudgeFormat.Reading.byWord();

    private final AgentReader agents;
    private final JudgeFormat.Reading usual;
    private final DeliveryReader deliveries;

    /** @param usual how replies are read where the document does not say */
    JudgePolicyReader(AgentReader agents, JudgeFormat.Reading usual, DeliveryReader deliveries) {
        this.agents = agents;
        this.usual = usual;
        this.deliveries = deliveries;
    }

    /** Reads the judges, and how they judge. */
    public JudgePolicy read(FieldReader strategy) {
        return new JudgePolicy(
                judges(strategy),
                strategy.nullableText("systemPrompt"),
                new JudgeFormat(
                        strategy.word("reply", REPLIES, JudgeFormat.Reply.PLAIN),
                        strategy.flag("fence", false),
                        strategy.word("reading", READINGS, usual)),
                strategy.flag("swapPositions", false),
                strategy.integer("rotate", ROTATE, 1),
                strategy.flag("rotateByTrial", false),
                ties(strategy));
    }

    static TiePolicy ties(FieldReader strategy) {
        return strategy.word("ties", TiePolicy.WORDS, TiePolicy.UNDECIDED);
    }

    private List<Judge> judges(FieldReader strategy) {
        if (!strategy.has("panel")) {
            FieldReader judge = strategy.object("judge", JUDGE);
            if (judge == null) {
                strategy.problem("judge", "`judge` is missing; say which provider and model judges.");
            }
            return List.of(
                    judge(judge == null ? strategy.objectOrEmpty("judge", JUDGE).silent() : judge));
        }
        if (strategy.has("judge")) {
            strategy.problem("judge", "`judge` and `panel` are both written; keep one of them.");
        }
        List<Judge> panel = strategy.nonEmptyList(
                "panel", (node, path, problems) -> judge(FieldReader.of(node, path, JUDGE, problems)));
        if (panel.size() == 1 || panel.size() > JudgePolicy.MAX_PANEL) {
            strategy.problem(
                    "panel",
                    "`panel` must have 2 to " + JudgePolicy.MAX_PANEL + " judges, but has " + panel.size()
                            + "; write a single judge as `judge`.");
        }
        return panel.isEmpty() || panel.size() > JudgePolicy.MAX_PANEL
                ? List.of(judge(strategy.objectOrEmpty("judge", JUDGE).silent()))
                : panel;
    }

    private Judge judge(FieldReader fields) {
        BigDecimal tokens = fields.nullableDecimal("maxContextTokens", CONTEXT_TOKENS);
        String id = fields.hasValue("id") ? fields.id("id") : null;
        Agent agent = agents.read(fields);
        return new Judge(
                id,
                agent,
                tokens == null ? null : tokens.intValueExact(),
                deliveries.of(fields, id == null ? "a judge" : "judge `" + id + "`", agent));
    }
}
