package dev.assay.domain.check;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import java.util.Set;

/**
 * The place of a check of another tool that an import left out. It is never decided, so that a trial which lost a check does not
 * pass for the want of it.
 *
 * @param what was left out, as the other tool calls it
 */
public record UnmappedRule(String what) implements CheckRule {

    /** What users write as {@code type}. */
    public static final String WORD = "unmapped";

    /** The most characters of {@code what}. */
    public static final int MAX_WHAT = 200;

    static final CheckKind KIND = new CheckKind(
            WORD, Set.of("what"), UnmappedRule.class, fields -> new UnmappedRule(fields.line("what", MAX_WHAT)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        return Finding.unscored("`" + what + "` has no counterpart here: it was left out by --allow-unmapped.");
    }
}
