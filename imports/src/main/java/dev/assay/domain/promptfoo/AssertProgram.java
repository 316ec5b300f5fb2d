package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.imports.SourcePrograms;
import dev.assay.domain.imports.SourcePrograms.Ran;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of assertions that programs give. Each is run once, so it may not read the answer. */
final class AssertProgram {

    private final SourceFiles files;
    private final SourcePrograms programs;
    private final ImportReport report;
    private final ObjectNode vars;

    /** @param vars of the test */
    AssertProgram(SourceFiles files, SourcePrograms programs, ImportReport report, ObjectNode vars) {
        this.files = files;
        this.programs = programs;
        this.report = report;
        this.vars = vars;
    }

    /**
     * The value that the program gives which {@code written} names.
     *
     * @param place of the value in the configuration
     * @return null: there is none, which was reported
     */
    @Nullable
    JsonNode value(String written, JsonNode assertion, String place) {
        CodeName code = written.startsWith("file://") ? CodeName.read(written) : null;
        if (code == null) {
            report.unmapped(LostPart.CHECK, place, "A program of this language cannot give the value here.");
            return null;
        }
        var _ = files.code(code.file());
        return switch (programs.run(
                code.call(SourcePrograms.Use.VALUE, List.of(NullNode.instance, context(assertion))))) {
            case Ran.Returned(JsonNode value) -> value;
            case Ran.Failed(String message) -> {
                report.unmapped(
                        LostPart.CHECK,
                        place,
                        "The value is given by a program that needs the answer or fails: " + message);
                yield null;
            }
            case Ran.NotRun(String message) -> {
                report.unmapped(LostPart.CHECK, place, "The value is given by a program, and " + message);
                yield null;
            }
        };
    }

    private ObjectNode context(JsonNode assertion) {
        ObjectNode context = JsonNodeFactory.instance.objectNode();
        context.set("vars", vars);
        context.putObject("test").set("vars", vars);
        if (assertion.hasNonNull("config")) {
            context.set("config", assertion.get("config"));
        }
        return context;
    }
}
