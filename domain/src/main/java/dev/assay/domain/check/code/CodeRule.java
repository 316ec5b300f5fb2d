package dev.assay.domain.check.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** A rule that the user's own code decides, after the response is on record. Until then the check is unscored. */
public sealed interface CodeRule extends CheckRule permits ScriptRule, ProgramRule {

    /** The longest own code may take for one request, in seconds, where nothing else is said. */
    int DEFAULT_SECONDS = 30;

    /** What runs it. */
    CodeLanguage language();

    /** What must be there, and allowed, for it to run. */
    CodeNeed need();

    /** What the code gets as its settings; null: nothing. */
    @Nullable
    JsonNode config();

    /** The least number that passes; null: whatever is above 0. */
    @Nullable
    BigDecimal threshold();

    /** The time for one check, from when a process reads the request, in seconds, 1–600. */
    int timeoutSeconds();

    @Override
    default Finding find(CheckInput input) {
        return Finding.unscored("The code has not run yet.");
    }

    /** The finding where the code has given {@code reply}. It knows the role, since {@code not} turns verdicts and leaves numbers. */
    default Finding finding(CodeReply reply, CheckRole role) {
        return CodeVerdict.of(reply, this, role);
    }
}
