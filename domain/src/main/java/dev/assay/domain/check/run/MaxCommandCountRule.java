package dev.assay.domain.check.run;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.trace.Traces;
import java.util.Set;

/** The agent ran at most {@code limit} commands (see {@link Traces#commands}). */
public record MaxCommandCountRule(long limit) implements RunRule {

    private static final NumberRule LIMIT = NumberRule.whole(0, 1_000_000_000_000L);

    public static final CheckKind KIND = new CheckKind(
            "max_command_count",
            1,
            Set.of("limit"),
            MaxCommandCountRule.class,
            fields -> new MaxCommandCountRule(limit(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        int commands = Traces.commands(input.trace());
        String count = commands == 1 ? "1 command" : commands + " commands";
        return Finding.of(
                commands <= limit,
                "The agent ran " + count + ", at most " + limit + ".",
                "Expected at most " + limit + (limit == 1 ? " command" : " commands") + ", but the agent ran " + count
                        + ".");
    }

    private static long limit(FieldReader fields) {
        return fields.required("limit") == null ? 0 : fields.longInteger("limit", LIMIT, 0);
    }
}
