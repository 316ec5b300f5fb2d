package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.code.CodeNeed;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.suite.Suite;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of campaigns with own code. */
final class CodeRules {

    private static final String NO_DIRECTORY =
            "`file` is a path below the directory that `code` names; write `code` at the top of the file.";

    private CodeRules() {}

    /** What the code of a campaign needs. */
    static CodeAllowance needs(CampaignDefinition definition, Suite suite) {
        return allowance(OwnCode.needs(definition, suite), definition.code());
    }

    /** What code needs that runs in some surroundings. */
    static CodeAllowance allowance(Set<CodeNeed> needs, CodeFiles code) {
        Set<String> languages = new HashSet<>();
        Set<String> programs = new HashSet<>();
        for (CodeNeed need : needs) {
            if (need.program() != null) {
                programs.add(need.program());
            } else {
                languages.add(need.language().word());
            }
        }
        boolean hasCode = !(languages.isEmpty() && programs.isEmpty());
        return new CodeAllowance(languages, hasCode ? Set.copyOf(code.env()) : Set.of(), programs);
    }

    /**
     * Refuses a campaign with code that no worker may run, or can.
     *
     * @param document where the code stands
     * @throws AssayException EVAL_CODE_UNAVAILABLE with the path of each code
     */
    static void requireCode(JsonNode document, CampaignDefinition definition, Suite suite, ToolPolicy policy) {
        Map<CodeNeed, String> refusals = new HashMap<>();
        for (CodeNeed need : OwnCode.needs(definition, suite)) {
            String refusal = OwnCode.refusal(need, definition.code(), policy);
            if (refusal != null) {
                refusals.put(need, refusal);
            }
        }
        if (!refusals.isEmpty()) {
            Problems problems = new Problems();
            WrittenCode.visit(document, code -> {
                String refusal = refusals.get(code.need());
                if (refusal != null) {
                    problems.add(code.path(), refusal);
                }
            });
            throw AssayException.refused(
                    ErrorCode.EVAL_CODE_UNAVAILABLE,
                    "EVAL_CODE_UNAVAILABLE: "
                            + refusals.values().stream().sorted().findFirst().orElseThrow(),
                    problems.errors(),
                    problems.count() - problems.errors().size());
        }
    }

    /** Reports code in files where there is no directory of code. */
    static void checkNoFiles(
            JsonNode document, CampaignDefinition definition, @Nullable Suite suite, Problems problems) {
        checkNoFiles(document, definition, suite, NO_DIRECTORY, problems);
    }

    /**
     * Reports code in files.
     *
     * @param what has no directory of code, such as {@code An evaluation}
     */
    static void refuseFiles(
            JsonNode document, CampaignDefinition definition, Suite suite, String what, Problems problems) {
        checkNoFiles(
                document,
                definition,
                suite,
                what + " has no directory of code, so none of its code stands in a `file`; submit a campaign.",
                problems);
    }

    private static void checkNoFiles(
            JsonNode document,
            CampaignDefinition definition,
            @Nullable Suite suite,
            String problem,
            Problems problems) {
        boolean hasFiles = suite != null
                && OwnCode.scripts(definition, suite).stream()
                        .anyMatch(used -> used.script().file() != null);
        if (hasFiles) {
            WrittenCode.visit(document, code -> {
                if (code.isFile()) {
                    problems.add(code.place(), problem);
                }
            });
        }
    }
}
