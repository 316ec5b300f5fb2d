package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.imports.SourcePrograms;
import dev.assay.domain.imports.SourcePrograms.Call;
import dev.assay.domain.imports.SourcePrograms.Ran;
import dev.assay.domain.imports.SourcePrograms.Use;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The vars of a test after its {@code transformVars}, which the command runs. */
final class TransformedVars {

    /** The option's name. */
    static final String OPTION = "transformVars";

    private final SourceFiles files;
    private final SourcePrograms programs;
    private final ImportReport report;

    TransformedVars(SourceFiles files, SourcePrograms programs, ImportReport report) {
        this.files = files;
        this.programs = programs;
        this.report = report;
    }

    /** The vars; null: there are none, which was reported. */
    @Nullable
    ObjectNode of(TestMerge test, ObjectNode vars) {
        JsonNode code = test.options().path(OPTION);
        if (code.isMissingNode() || code.isNull()) {
            return vars;
        }
        String path = DocumentPath.field(DocumentPath.field(test.place(OPTION), "options"), OPTION);
        if (!code.isTextual() || code.textValue().isBlank()) {
            report.error(path, "`transformVars` must be code or its file, but is " + ActualValue.describe(code) + ".");
            return null;
        }
        return switch (programs.run(call(code.textValue(), vars))) {
            case Ran.Returned(ObjectNode value) -> value;
            case Ran.Returned(JsonNode value) -> {
                report.error(
                        path, "`transformVars` must give an object, but gives " + ActualValue.describe(value) + ".");
                yield null;
            }
            case Ran.Failed(String message) -> {
                report.error(path, message);
                yield null;
            }
            case Ran.NotRun(String message) -> {
                report.unmapped(LostPart.TEST, path, "Vars are given by a program, and " + message);
                yield null;
            }
        };
    }

    private Call call(String code, ObjectNode vars) {
        ObjectNode context = JsonNodeFactory.instance.objectNode();
        context.set("vars", vars);
        CodeName file = code.startsWith("file://") ? CodeName.read(code) : null;
        if (file == null) {
            return new Call(Use.VARS, CodeLanguage.JAVASCRIPT, null, null, code, List.of(vars, context));
        }
        var _ = files.code(file.file());
        return file.call(Use.VARS, List.of(vars, context));
    }
}
