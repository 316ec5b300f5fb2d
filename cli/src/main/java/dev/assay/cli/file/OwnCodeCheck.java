package dev.assay.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.code.CodeCompiler;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.campaignfile.WrittenCode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.grading.UsedScript;
import dev.assay.work.file.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles the own code of a valid campaign before it is sent, by the user's own interpreters. */
public final class OwnCodeCheck {

    private final CampaignFile campaign;
    private final @Nullable Path directory;

    private OwnCodeCheck(CampaignFile campaign, @Nullable Path directory) {
        this.campaign = campaign;
        this.directory = directory;
    }

    /** To be made before the document is packed: it names its directory of code until then. */
    public static OwnCodeCheck of(CampaignFile campaign) {
        JsonNode code = campaign.document().path(PackedWorkspaces.CODE);
        return new OwnCodeCheck(
                campaign,
                code.isTextual() && !PackedWorkspaces.isStored(code.textValue()) ? Path.of(code.textValue()) : null);
    }

    /**
     * Compiles all code of {@code submission}, each once.
     *
     * @throws AssayException INVALID_INPUT with the path of each code that cannot run
     */
    public void check(CampaignSubmission submission) throws InterruptedException {
        Set<UsedScript> scripts = OwnCode.scripts(submission.definition(), submission.suite());
        Map<UsedScript, String> problems = scripts.isEmpty() ? Map.of() : problems(submission, scripts);
        if (!problems.isEmpty()) {
            // A check that many cases inherit stands in an imported file once.
            Map<String, FieldError> errors = new LinkedHashMap<>();
            WrittenCode.visit(campaign.document(), code -> {
                String problem = code.used() == null ? null : problems.get(code.used());
                if (problem != null) {
                    String place = campaign.placeOfCode(code);
                    errors.putIfAbsent(place, new FieldError(place, problem));
                }
            });
            throw AssayException.invalid("The own code of the campaign cannot run", List.copyOf(errors.values()));
        }
    }

    private Map<UsedScript, String> problems(CampaignSubmission submission, Set<UsedScript> scripts)
            throws InterruptedException {
        Map<UsedScript, String> problems = new HashMap<>();
        try {
            Path temporary = Files.createTempDirectory("assay-code");
            try (CodeCompiler compiler = new CodeCompiler(
                    temporary, directory, submission.definition().code().env())) {
                for (UsedScript used : scripts) {
                    String problem = problem(compiler, used);
                    if (problem != null) {
                        problems.put(used, problem);
                    }
                }
            } finally {
                FileTree.delete(temporary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return problems;
    }

    private @Nullable String problem(CodeCompiler compiler, UsedScript used) throws InterruptedException {
        String file = used.script().file();
        if (file != null) {
            if (directory == null) {
                // It is stored elsewhere.
                return null;
            }
            if (!Files.isRegularFile(directory.resolve(file))) {
                return "There is no file " + file + " in the code directory " + directory + ".";
            }
        }
        return compiler.problem(used);
    }
}
