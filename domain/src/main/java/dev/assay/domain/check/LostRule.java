package dev.assay.domain.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place of a check of another tool that an import left out. It is never decided, so that a trial which lost a check does not
 * pass for the want of it.
 *
 * @param was what was left out, as the other tool calls it
 * @param path where it stands in the other tool's file; null: not known
 */
public record LostRule(String was, @Nullable String path) implements CheckRule {

    /** What users write as {@code type}. */
    public static final String WORD = "lost";

    /** The most characters of {@code was}. */
    public static final int MAX_WAS = 200;

    /** The most characters of {@code path}. */
    public static final int MAX_PATH = 1_000;

    static final CheckKind KIND = new CheckKind(
            WORD,
            1,
            Set.of("was", "path"),
            LostRule.class,
            fields -> new LostRule(
                    fields.line("was", MAX_WAS), fields.hasValue("path") ? fields.line("path", MAX_PATH) : null));

    /** The word of earlier builds, which only stored suites have. */
    static final String EARLIER_WORD = "unmapped";

    /** Reads the stored form of earlier builds. */
    static LostRule ofEarlier(JsonNode json) {
        return new LostRule(json.path("what").asText(), null);
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        return Finding.unscored("left out: `" + was + "` has no counterpart here"
                + (path == null ? "." : ", see " + path + " in the imported file."));
    }
}
