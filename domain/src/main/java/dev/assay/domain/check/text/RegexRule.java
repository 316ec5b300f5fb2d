package dev.assay.domain.check.text;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.pattern.GuardedPattern;
import dev.assay.domain.text.Excerpt;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/** The regular expression {@code value} (Java syntax) matches somewhere in the response. */
public record RegexRule(String value) implements CheckRule {

    public static final CheckKind KIND =
            new CheckKind("regex", 1, Set.of("value"), RegexRule.class, fields -> new RegexRule(pattern(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        try {
            return Finding.of(
                    GuardedPattern.compile(value).find(input.response()),
                    "The response matches the pattern " + Quote.of(value) + ".",
                    "Expected a match of the pattern " + Quote.of(value) + ", but found "
                            + Quote.ofResponse(input.response()) + ".");
        } catch (GuardedPattern.TooLongException e) {
            return Finding.unscored("The pattern took too long on this response: " + Quote.of(value)
                    + "; write it without nested repetitions.");
        } catch (PatternSyntaxException e) {
            return Finding.unscored(
                    "The pattern " + Quote.of(value) + " cannot be used: " + Excerpt.of(e.getDescription()) + ".");
        }
    }

    private static String pattern(FieldReader fields) {
        String pattern = ExpectedText.one(fields);
        String wrong = fields.isWrong("value") ? null : GuardedPattern.problem(pattern);
        if (wrong != null) {
            fields.problem(
                    "value",
                    "`value` cannot be used as a regular expression (Java syntax): " + wrong + "; correct it.");
        }
        return pattern;
    }
}
