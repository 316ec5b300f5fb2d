package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads how the winner of a trial is chosen. */
final class StrategyReader {

    static final Fields FIELDS = Fields.of("strategy", "type", "judge", "systemPrompt");
    static final Fields JUDGE = Fields.of(
            "judge", "kind", "provider", "model", "thinking", "parameters", "maxContextTokens", "cassette", "script");

    private static final NumberRule CONTEXT_TOKENS = NumberRule.whole(1, 1_000_000_000);

    private final AgentReader agents;
    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    private interface Kind {
        Strategy read(FieldReader fields);
    }

    StrategyReader(AgentReader agents) {
        this.agents = agents;
        kinds.put("transparent", fields -> plain(fields, new Strategy.Transparent()));
        kinds.put("pick-first", fields -> plain(fields, new Strategy.PickFirst()));
        kinds.put("token-efficient", fields -> plain(fields, new Strategy.TokenEfficient()));
        kinds.put("elaborate", fields -> plain(fields, new Strategy.Elaborate()));
        kinds.put("llm-judge", this::llmJudge);
    }

    /** @param branches how many branches the campaign has */
    Strategy read(FieldReader document, int branches) {
        Strategy fallback = branches > 1 ? new Strategy.PickFirst() : new Strategy.Transparent();
        FieldReader fields = document.object("strategy", FIELDS);
        Kind kind = fields == null ? null : fields.word("type", kinds);
        if (fields == null || kind == null) {
            return fallback;
        }
        Strategy strategy = kind.read(fields);
        if (strategy instanceof Strategy.Transparent && branches > 1) {
            fields.problem(
                    "type",
                    "Strategy transparent takes one branch, but there are " + branches
                            + "; choose pick-first, token-efficient, elaborate or llm-judge.");
        }
        return strategy;
    }

    private static Strategy plain(FieldReader fields, Strategy strategy) {
        for (String name : new String[] {"judge", "systemPrompt"}) {
            if (fields.hasValue(name)) {
                fields.problem(
                        name, "`" + name + "` belongs to strategy llm-judge only; remove it or choose that strategy.");
            }
        }
        return strategy;
    }

    private Strategy llmJudge(FieldReader fields) {
        FieldReader judge = fields.object("judge", JUDGE);
        if (judge == null) {
            fields.problem("judge", "`judge` is missing; say which provider and model judges.");
        }
        Agent agent =
                agents.read(judge == null ? fields.objectOrEmpty("judge", JUDGE).silent() : judge);
        return new Strategy.LlmJudge(agent, maxContextTokens(judge), fields.nullableText("systemPrompt"));
    }

    private static @Nullable Integer maxContextTokens(@Nullable FieldReader judge) {
        BigDecimal tokens = judge == null ? null : judge.nullableDecimal("maxContextTokens", CONTEXT_TOKENS);
        return tokens == null ? null : tokens.intValueExact();
    }
}
