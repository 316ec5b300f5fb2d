package dev.assay.domain.check.text;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.NumberRule;
import java.util.List;
import java.util.Set;

/**
 * The response is {@code value} after at most {@code threshold} edits of one character (UTF-16 code unit).
 *
 * @param threshold the most edits, 0–10,000
 */
public record LevenshteinRule(String value, int threshold) implements CheckRule {

    private static final NumberRule EDITS = NumberRule.whole(0, 10_000);
    private static final int DEFAULT = 5;

    /** Comparisons of two characters: about a second. */
    private static final long MOST_COMPARED = 500_000_000;

    public static final CheckKind KIND = new CheckKind(
            "levenshtein",
            1,
            Set.of("value", "threshold"),
            LevenshteinRule.class,
            fields -> new LevenshteinRule(fields.anyText("value"), fields.integer("threshold", EDITS, DEFAULT)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        String response = input.response();
        Finding tooLong = ExpectedText.tooLong(input, List.of(value));
        long width = Math.min(2L * threshold + 1, response.length());
        if (tooLong != null || width * value.length() > MOST_COMPARED) {
            return tooLong != null ? tooLong : Finding.unscored("The texts are too long to count so many edits.");
        }
        int distance = EditDistance.within(response, value, threshold);
        return Finding.of(
                distance <= threshold,
                "The response is " + Quote.of(value) + " after " + distance + " edits, at most " + threshold + ".",
                "Expected " + Quote.of(value) + " after at most " + threshold + " edits, but found "
                        + Quote.ofResponse(response) + ".");
    }
}
