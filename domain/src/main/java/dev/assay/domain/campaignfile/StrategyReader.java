package dev.assay.domain.campaignfile;

import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.selection.Strategy;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reader of the strategy that chooses the winner of a trial. */
final class StrategyReader {

    static final Fields FIELDS = Fields.of(
            "strategy",
            "type",
            "judge",
            "panel",
            "systemPrompt",
            "reply",
            "reading",
            "fence",
            "swapPositions",
            "rotate",
            "rotateByTrial",
            "ties",
            "rounds",
            "name",
            "models",
            "maxAsks");
    /** The fields that not all types have, with the types that do. */
    private static final Map<String, List<String>> OWNERS = owners();

    private static final NumberRule ROUNDS = NumberRule.whole(1, 20);

    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    private interface Kind {
        Strategy read(FieldReader fields);
    }

    /** @param usual how replies of judges are read where the document does not say */
    StrategyReader(AgentReader agents, JudgeFormat.Reading usual) {
        JudgePolicyReader rules = new JudgePolicyReader(agents, usual);
        kinds.put("transparent", fields -> new Strategy.Transparent());
        kinds.put("pick-first", fields -> new Strategy.PickFirst());
        kinds.put("token-efficient", fields -> new Strategy.TokenEfficient());
        kinds.put("elaborate", fields -> new Strategy.Elaborate());
        kinds.put("lowest-cost", fields -> new Strategy.LowestCost());
        kinds.put("lowest-latency", fields -> new Strategy.LowestLatency());
        kinds.put("highest-score", fields -> new Strategy.HighestScore(JudgePolicyReader.ties(fields)));
        CustomStrategyReader custom = new CustomStrategyReader(agents);
        kinds.put("custom", custom::read);
        kinds.put("llm-judge", fields -> new Strategy.LlmJudge(rules.read(fields)));
        kinds.put("pairwise", fields -> new Strategy.Pairwise(rules.read(fields), rounds(fields)));
    }

    private static Map<String, List<String>> owners() {
        List<String> judging = List.of("llm-judge", "pairwise");
        Map<String, List<String>> owners = new LinkedHashMap<>();
        FIELDS.names().stream().skip(1).forEach(name -> owners.put(name, judging));
        List.of("name", "models", "maxAsks").forEach(name -> owners.put(name, List.of("custom")));
        owners.put("rotate", List.of("llm-judge"));
        owners.put("ties", List.of("llm-judge", "pairwise", "highest-score"));
        owners.put("rounds", List.of("pairwise"));
        return owners;
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
        refuseForeign(fields, strategy.type());
        if (strategy instanceof Strategy.Transparent && branches > 1) {
            fields.problem(
                    "type",
                    "Strategy transparent takes one branch, but there are " + branches
                            + "; choose another, such as pick-first, token-efficient, elaborate or llm-judge.");
        }
        if (strategy instanceof Strategy.Pairwise(JudgePolicy ignored, Integer rounds)
                && rounds == null
                && branches > Strategy.Pairwise.MOST_WITHOUT_ROUNDS) {
            fields.problem(
                    "rounds",
                    "`rounds` is missing: every pair of " + branches + " branches would be compared; write how many"
                            + " rounds, or compare at most " + Strategy.Pairwise.MOST_WITHOUT_ROUNDS + " branches.");
        }
        return strategy;
    }

    private static @Nullable Integer rounds(FieldReader fields) {
        BigDecimal rounds = fields.nullableDecimal("rounds", ROUNDS);
        return rounds == null ? null : rounds.intValueExact();
    }

    /** Reports the fields that belong to other types: otherwise they would be lost silently. */
    private static void refuseForeign(FieldReader fields, String type) {
        OWNERS.forEach((name, owners) -> {
            if (fields.hasValue(name) && !owners.contains(type)) {
                String which = String.join(" or ", owners);
                fields.problem(
                        name,
                        "`" + name + "` belongs to strategy " + which + " only; remove it or choose that strategy.");
            }
        });
    }
}
