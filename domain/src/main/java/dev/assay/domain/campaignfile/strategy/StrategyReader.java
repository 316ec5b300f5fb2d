package dev.assay.domain.campaignfile.strategy;

import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.selection.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reader of the strategy that chooses the winner of a trial. */
public final class StrategyReader {

    private static final Fields FIELDS =
            new Fields("strategy", Stream.concat(Stream.of("type"), names()).toList());

    private final StrategyKind.Parts parts;

    /**
     * A reader of one document.
     *
     * @param usual how replies of judges are read where the document does not say
     * @param deliveries reads how judges are asked
     */
    public StrategyReader(AgentReader agents, JudgeFormat.Reading usual, DeliveryReader deliveries) {
        this.parts = new StrategyKind.Parts(agents, new JudgePolicyReader(agents, usual, deliveries));
    }

    /** The fields of strategies, judges and models of strategies. */
    public static List<Fields> fields() {
        return List.of(FIELDS, JudgePolicyReader.JUDGE, CustomKind.MODEL);
    }

    /** Judges' fields come first, since they are the most. */
    private static Stream<String> names() {
        return new ArrayList<>(StrategyKinds.byWord().values())
                .reversed().stream().flatMap(kind -> kind.fields().stream()).distinct();
    }

    /**
     * Reads it; the usual one where none is written.
     *
     * @param branches how many branches the campaign has
     */
    public Strategy read(FieldReader document, int branches) {
        FieldReader fields = document.object("strategy", FIELDS);
        StrategyKind<?> kind = fields == null ? null : fields.word("type", StrategyKinds.byWord());
        if (fields == null || kind == null) {
            return Strategy.usual(branches);
        }
        Strategy strategy = kind.read(fields, parts);
        refuseForeign(fields, kind);
        StrategyKinds.of(strategy).check(strategy, branches, fields);
        return strategy;
    }

    /** Reports the fields that belong to other types: otherwise they would be lost silently. */
    private static void refuseForeign(FieldReader fields, StrategyKind<?> kind) {
        names().filter(name -> fields.hasValue(name) && !kind.fields().contains(name))
                .forEach(name -> {
                    String which = StrategyKinds.byWord().values().stream()
                            .filter(other -> other.fields().contains(name))
                            .map(StrategyKind::word)
                            .collect(Collectors.joining(" or "));
                    fields.problem(
                            name,
                            "`" + name + "` belongs to strategy " + which
                                    + " only; remove it or choose that strategy.");
                });
    }
}
