package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import org.jspecify.annotations.Nullable;

/** The writer of code outside of checks: an object that names its language. */
final class CodeWriter {

    /** What makes another answer of one, in both files. */
    static final String TRANSFORM = "transform";

    private static final String FILE = "file://";

    private final SourceFiles files;
    private final ImportReport report;

    CodeWriter(SourceFiles files, ImportReport report) {
        this.files = files;
        this.report = report;
    }

    /**
     * The transform that {@code written} is: JavaScript, or a file.
     *
     * @param part what is lost where it has no counterpart
     * @return null: there is none, which was reported
     */
    @Nullable
    ObjectNode transform(JsonNode written, LostPart part, String path) {
        if (!written.isTextual() || written.textValue().isBlank()) {
            report.error(
                    path, "`transform` must be code or the file of it, but is " + ActualValue.describe(written) + ".");
            return null;
        }
        String text = written.textValue();
        if (!text.startsWith(FILE)) {
            ObjectNode inline = JsonNodeFactory.instance.objectNode().put("javascript", text);
            report.code(inline, path);
            return inline;
        }
        CodeName name = CodeName.read(text);
        if (name == null) {
            report.unmapped(part, path, "Code of this language has no counterpart.");
            return null;
        }
        return file(name, path);
    }

    /** The code in a file; null: it cannot be read, which was reported. */
    @Nullable
    ObjectNode file(CodeName name, String path) {
        ObjectNode code = JsonNodeFactory.instance.objectNode();
        return put(name, code.putObject(name.language().word()), path) ? registered(code, path) : null;
    }

    /**
     * The agent whose answers the code in a file gives; null: it cannot be read, which was reported.
     *
     * @param config of the code; missing: none
     */
    @Nullable
    ObjectNode agent(CodeName name, JsonNode config, String path) {
        ObjectNode agent = JsonNodeFactory.instance
                .objectNode()
                .put("kind", name.language().word());
        if (!put(name, agent, path)) {
            return null;
        }
        if (!config.isMissingNode() && !config.isNull()) {
            agent.set("config", config);
        }
        return registered(agent, path);
    }

    private ObjectNode registered(ObjectNode code, String path) {
        report.code(code, path);
        return code;
    }

    private boolean put(CodeName name, ObjectNode owner, String path) {
        try {
            owner.put("file", files.code(name.file()));
        } catch (AssayException e) {
            report.error(path, e.failure().message());
            return false;
        }
        if (name.function() != null) {
            owner.put("function", name.function());
        }
        return true;
    }

    /** Whether {@code code}, a check or what names a language, stands in a file. */
    static boolean isFile(JsonNode code) {
        return code.has("file")
                || code.path("python").has("file")
                || code.path("javascript").has("file");
    }
}
