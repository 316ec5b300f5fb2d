package dev.assay.domain.suite;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.Checks;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reader of the suite of a document: {@code cases} at its top level, or an object {@code suite} that holds them. */
public final class SuiteReader {

    /** The fields of {@code suite}. */
    public static final Fields FIELDS = Fields.of("suite", "name", "cases", "checks", "transform");

    /** Longest name, in Unicode code points. */
    public static final int MAX_NAME = 200;

    private SuiteReader() {}

    /**
     * Reads the suite.
     *
     * @param document has the fields {@code suite}, {@code cases}, {@code checks} and {@code transform}; its checks are added to every
     *     case, and its transform is that of cases without one
     * @param name the suite's name where it has none of its own
     * @return null: there is no usable case, which was reported
     */
    public static @Nullable Suite read(FieldReader document, String name) {
        Checks defaults = Checks.readDefaults(document);
        JsonNode suite = document.node("suite");
        if (suite == null) {
            return suite(name, document, defaults);
        }
        if (document.has("cases")) {
            document.problem("cases", "Write either `suite` or `cases`, not both.");
        }
        if (suite.isTextual()) {
            document.problem("suite", "Stored suites cannot be named yet; give `cases` instead.");
            return null;
        }
        FieldReader fields = FieldReader.of(suite, document.path("suite"), FIELDS, document.problems());
        Checks all = Checks.readDefaults(fields).and(defaults);
        return suite(fields.has("name") ? fields.line("name", MAX_NAME) : name, fields, all);
    }

    private static @Nullable Suite suite(String name, FieldReader fields, Checks defaults) {
        if (!fields.has("cases")) {
            fields.problem("cases", "`cases` is missing; write at least one case with an id and a prompt.");
            return null;
        }
        List<Case> cases = fields.nonEmptyList("cases", new CaseReader(defaults)::read);
        return cases.isEmpty() ? null : new Suite(name, cases);
    }
}
