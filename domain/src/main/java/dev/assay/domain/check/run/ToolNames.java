package dev.assay.domain.check.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.TextRules;
import java.util.List;
import java.util.Set;

/** Names of tools in checks. */
final class ToolNames {

    static final Finding NOT_KNOWN =
            Finding.unscored("Which tools were called is not known: the program's output does not tell.");

    private ToolNames() {}

    /** The field {@code value}: a name, or a list of names. */
    static List<String> read(FieldReader fields) {
        JsonNode value = fields.node("value");
        return value != null && value.isArray()
                ? fields.nonEmptyList("value", TextRules::fullTextItem)
                : List.of(fields.text("value"));
    }

    static String shown(Set<String> called) {
        return called.isEmpty() ? "none" : "those of " + Quote.of(String.join(", ", called));
    }
}
