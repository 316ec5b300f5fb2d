package dev.assay.domain.stop;

import dev.assay.domain.document.FieldReader;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GatePolicy;
import org.jspecify.annotations.Nullable;

/** The reader of the rule for stopping early. */
public final class StopReader {

    private static final String FIELD = "stop";

    private StopReader() {}

    /**
     * Reads {@code stop}.
     *
     * @param gate what the campaign must reach; one that needs every trial is a problem
     */
    public static StopRule read(FieldReader document, GatePolicy gate) {
        StopRule rule = document.word(FIELD, StopRule.words(), StopRule.NONE);
        String wrong = wrong(rule, gate);
        if (wrong != null) {
            document.problem(FIELD, wrong);
        }
        return rule;
    }

    private static @Nullable String wrong(StopRule rule, GatePolicy gate) {
        return switch (rule) {
            case NONE -> null;
            case SETTLED -> {
                String needsAll = needsAll(gate);
                yield needsAll == null
                        ? null
                        : "`stop: settled` ends when the thresholds cannot say anything else, and `gate." + needsAll
                                + "` asks for more than they do. Remove one of them.";
            }
            case SURE -> {
                if (gate.rule() == null) {
                    yield "`stop: sure` ends when the trial rate is surely on one side of a threshold; write it as"
                            + " `gate.rule`.";
                }
                yield gate.baseline() == null
                        ? null
                        : "`stop: sure` ends when `gate.rule` is decided, and `gate.baseline` needs the trials after"
                                + " that. Remove one of them.";
            }
        };
    }

    /** The part of a gate that looks at trials that thresholds do not need; null: none. */
    private static @Nullable String needsAll(GatePolicy gate) {
        if (gate.demands().minAgreement() != null) {
            return "minAgreement";
        }
        if (gate.demands().maxErrorRate() != GateDemands.NONE.maxErrorRate()) {
            return "maxErrorRate";
        }
        if (gate.rule() != null) {
            return "rule";
        }
        return gate.baseline() == null ? null : "baseline";
    }
}
