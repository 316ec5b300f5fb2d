package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.imports.ImportDefaults;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import java.util.List;
import java.util.Set;

/** The model that grades an assertion: its own, else that of the test's options, else that of the command or the operator. */
final class AssertGrader {

    /** Fields that replace promptfoo's grading prompts; ours cannot be exchanged. */
    private static final Set<String> GRADING = Set.of("rubricPrompt", "factuality");

    private final SourceFiles files;
    private final ImportReport report;
    private final JsonNode options;
    private final ImportDefaults defaults;

    /**
     * @param options of the test
     * @param defaults name the model where the configuration names none
     */
    AssertGrader(SourceFiles files, ImportReport report, JsonNode options, ImportDefaults defaults) {
        this.files = files;
        this.report = report;
        this.options = options;
        this.defaults = defaults;
    }

    /**
     * Names the grader in {@code check}. Where promptfoo would ask its own default, the user has chosen no model.
     *
     * @param embeds whether it computes embeddings, and answers nothing
     * @return whether a model grades as the assertion asks; else the check is left out
     */
    boolean put(JsonNode assertion, String path, ObjectNode check, boolean embeds) {
        String place = DocumentPath.field(path, "provider");
        JsonNode provider = assertion.has("provider") ? assertion.get("provider") : options.path("provider");
        String use = embeds ? "embedding" : "text";
        if (provider.isObject() && !provider.has("id") && provider.has(use)) {
            provider = provider.get(use);
            place = DocumentPath.field(place, use);
        }
        boolean isOurs = true;
        for (String name : GRADING) {
            if (!embeds && (assertion.has(name) || options.has(name))) {
                report.unmapped(LostPart.CHECK, DocumentPath.field(path, name), "`" + name + "` has no counterpart.");
                isOurs = false;
            }
        }
        if (provider.isMissingNode() || provider.isNull()) {
            ObjectNode other = embeds ? defaults.embedder() : defaults.grader();
            if (other != null) {
                check.set("grader", other.deepCopy());
                return isOurs;
            }
            report.unmapped(
                    LostPart.CHECK,
                    place,
                    "No `provider` says which model grades. "
                            + (embeds ? "--embedder" : "--grader")
                            + " PROVIDER/MODEL says one, or a `provider` in the assertion or in"
                            + " `defaultTest.options`.");
            return false;
        }
        List<ProviderColumn> columns = ProviderReader.ofGraders(files, report, defaults.providers(), embeds)
                .read(provider, place);
        ObjectNode grader = columns.size() == 1 ? columns.getFirst().branch() : null;
        if (grader != null
                && (grader.has("provider")
                        || report.code().path(grader) != null
                        || grader.path("kind").asText().equals("scripted"))) {
            check.set("grader", grader);
            return isOurs && report.lostSetting(columns.getFirst().path()) == null;
        }
        if (!columns.isEmpty()) {
            report.unmapped(LostPart.CHECK, place, "Only a model or own code can grade.");
        }
        return false;
    }
}
