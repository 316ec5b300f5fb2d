package dev.assay.domain.check.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.TextRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts that users name as {@code value}. */
final class ExpectedText {

    /** Longest text that is compared word by word or character by character, in UTF-16 code units. */
    private static final int LONGEST_COMPARED = 200_000;

    private ExpectedText() {}

    /** A text to look for. Every response contains the empty text. */
    static String one(FieldReader fields) {
        String value = fields.anyText("value");
        if (value.isEmpty() && !fields.isWrong("value")) {
            fields.problem("value", "`value` must not be empty; every response would pass.");
        }
        return value;
    }

    /** Texts to look for, at least one, none of them empty. */
    static List<String> several(FieldReader fields) {
        return fields.nonEmptyList("value", (node, path, problems) -> {
            String text = TextRules.textItem(node, path, problems);
            if (text != null && text.isEmpty()) {
                problems.add(path, "`" + path + "` must not be empty; every response contains that.");
            }
            return text;
        });
    }

    /** A text, or texts of which any will do; any of them may be empty. */
    static List<String> oneOrSeveral(FieldReader fields) {
        JsonNode value = fields.node("value");
        return value != null && value.isArray()
                ? fields.nonEmptyList("value", TextRules::textItem)
                : List.of(fields.anyText("value"));
    }

    /** The unscored finding where the response or an expected text is too long to be compared; null: neither is. */
    static @Nullable Finding tooLong(CheckInput input, List<String> expected) {
        boolean isLong = input.response().length() > LONGEST_COMPARED
                || expected.stream().anyMatch(text -> text.length() > LONGEST_COMPARED);
        return isLong
                ? Finding.unscored("A text of more than " + LONGEST_COMPARED + " characters is not compared.")
                : null;
    }

    /** The texts as reasons show them. */
    static String quoted(List<String> texts) {
        return texts.size() == 1
                ? Quote.of(texts.getFirst())
                : "one of " + texts.size() + " texts, such as " + Quote.of(texts.getFirst());
    }
}
