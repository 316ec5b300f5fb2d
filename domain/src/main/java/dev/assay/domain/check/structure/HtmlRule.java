package dev.assay.domain.check.structure;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.markup.HtmlText;
import dev.assay.domain.pattern.GuardedPattern;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response is HTML, or contains some (see {@link HtmlText}).
 *
 * @param contains true: some is enough; null: it is not
 */
public record HtmlRule(@Nullable Boolean contains) implements CheckRule {

    public static final CheckKind KIND = new CheckKind(
            "html", 1, Set.of("contains"), HtmlRule.class, fields -> new HtmlRule(Contained.read(fields)));

    /** Longest text that is read as HTML, in UTF-16 code units: misplaced tags in tables take time by the square of their number. */
    private static final int LONGEST = 100_000;

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        String response = input.response();
        if (response.length() > LONGEST) {
            return Finding.unscored("A text of more than " + LONGEST + " characters is not read as HTML.");
        }
        String verb = contains == null ? "is" : "contains";
        try {
            return Finding.of(
                    contains == null ? HtmlText.isWhole(response) : HtmlText.isIn(response),
                    "The response " + verb + " HTML.",
                    "Expected a response that " + verb + " HTML, but found " + Quote.ofResponse(response) + ".");
        } catch (GuardedPattern.TooLongException e) {
            return Finding.unscored("It takes too long to look for HTML in this response.");
        }
    }
}
