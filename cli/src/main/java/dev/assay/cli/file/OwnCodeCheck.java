package dev.assay.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.code.CodeCompiler;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.check.code.ScriptRule;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.grading.OwnCode;
import dev.assay.work.file.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
     * @throws AssayException INVALID_INPUT with the path of each check whose code cannot run
     */
    public void check(CampaignSubmission submission) throws InterruptedException {
        Map<Code, ScriptRule> codes = new LinkedHashMap<>();
        OwnCode.rules(submission.suite()).forEach(rule -> {
            if (rule instanceof ScriptRule script) {
                codes.putIfAbsent(Code.of(script), script);
            }
        });
        Map<Code, String> problems = codes.isEmpty() ? Map.of() : problems(submission, codes);
        if (!problems.isEmpty()) {
            // A check that many cases inherit stands in an imported file once.
            Map<String, FieldError> errors = new LinkedHashMap<>();
            CampaignReader.visit(campaign.document(), (check, path) -> {
                String problem = problems.get(Code.of(check));
                if (problem != null) {
                    String place = campaign.placeOfCode(check, path);
                    errors.putIfAbsent(place, new FieldError(place, problem));
                }
            });
            throw AssayException.invalid("The own code of the campaign cannot run", List.copyOf(errors.values()));
        }
    }

    /** One piece of code, as it is written in a check. */
    private record Code(
            String type,
            @Nullable String value,
            @Nullable String file,
            @Nullable String function) {

        static Code of(JsonNode check) {
            return new Code(
                    check.path("type").asText(),
                    check.path("value").textValue(),
                    check.path("file").textValue(),
                    check.path("function").textValue());
        }

        static Code of(ScriptRule rule) {
            return new Code(rule.language().word(), rule.value(), rule.file(), rule.function());
        }
    }

    private Map<Code, String> problems(CampaignSubmission submission, Map<Code, ScriptRule> codes)
            throws InterruptedException {
        Map<Code, String> problems = new HashMap<>();
        try {
            Path temporary = Files.createTempDirectory("assay-code");
            try (CodeCompiler compiler = new CodeCompiler(
                    temporary, directory, submission.definition().code().env())) {
                for (Map.Entry<Code, ScriptRule> code : codes.entrySet()) {
                    String problem = problem(compiler, code.getValue());
                    if (problem != null) {
                        problems.put(code.getKey(), problem);
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

    private @Nullable String problem(CodeCompiler compiler, ScriptRule rule) throws InterruptedException {
        if (rule.file() != null) {
            if (directory == null) {
                // It is stored elsewhere.
                return null;
            }
            if (!Files.isRegularFile(directory.resolve(rule.file()))) {
                return "There is no file " + rule.file() + " in the code directory " + directory + ".";
            }
        }
        return compiler.problem(rule);
    }
}
