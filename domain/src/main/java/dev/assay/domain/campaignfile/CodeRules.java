package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.check.code.CodeKinds;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.code.ProgramRule;
import dev.assay.domain.check.code.ScriptRule;
import dev.assay.domain.document.DocumentPath;
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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The rules of campaigns with own code. */
final class CodeRules {

    private CodeRules() {}

    /** What the code of a campaign needs. */
    static CodeAllowance needs(CampaignDefinition definition, Suite suite) {
        Set<String> languages = new HashSet<>();
        Set<String> programs = new HashSet<>();
        for (CodeRule rule : OwnCode.rules(suite)) {
            if (rule instanceof ProgramRule program) {
                programs.add(program.command().getFirst());
            } else {
                languages.add(rule.language().word());
            }
        }
        boolean hasCode = !(languages.isEmpty() && programs.isEmpty());
        return new CodeAllowance(
                languages, hasCode ? Set.copyOf(definition.code().env()) : Set.of(), programs);
    }

    /**
     * Refuses a campaign with code that no worker may run, or can.
     *
     * @param document where the code stands
     * @throws AssayException EVAL_CODE_UNAVAILABLE with the path of each check
     */
    static void requireCode(JsonNode document, CampaignDefinition definition, Suite suite, ToolPolicy policy) {
        Map<String, String> refusals = new HashMap<>();
        for (CodeRule rule : OwnCode.rules(suite)) {
            String refusal = OwnCode.refusal(rule, definition.code(), policy);
            if (refusal != null) {
                refusals.put(key(rule), refusal);
            }
        }
        if (!refusals.isEmpty()) {
            Problems problems = new Problems();
            walk(document, "", (check, path) -> {
                String type = check.path("type").asText();
                String refusal = refusals.get(
                        type.equals("program")
                                ? "program " + check.path("command").path(0).asText()
                                : type);
                if (refusal != null) {
                    problems.add(path, refusal);
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

    private static String key(CodeRule rule) {
        return rule instanceof ProgramRule program
                ? "program " + program.command().getFirst()
                : rule.language().word();
    }

    /** Whether {@code node} may hold own code; it may be no valid campaign. */
    static boolean mayHold(JsonNode node) {
        if (node.isObject() && CodeKinds.WORDS.contains(node.path("type").asText())) {
            return true;
        }
        for (JsonNode below : node) {
            if (below.isContainerNode() && mayHold(below)) {
                return true;
            }
        }
        return false;
    }

    /** Reports code in files where there is no directory of code. */
    static void checkNoFiles(JsonNode document, @Nullable Suite suite, Problems problems) {
        boolean hasFiles = suite != null
                && OwnCode.rules(suite).stream()
                        .anyMatch(rule -> rule instanceof ScriptRule script && script.file() != null);
        if (hasFiles) {
            walk(document, "", (check, path) -> {
                if (check.has("file")
                        && CodeKinds.WORDS.contains(check.path("type").asText())) {
                    problems.add(
                            DocumentPath.field(path, "file"),
                            "`file` is a path below the directory that `code` names; write `code` at the top of the"
                                    + " file.");
                }
            });
        }
    }

    /** Visits the objects of {@code node} and below, each with its path. */
    static void walk(JsonNode node, String path, BiConsumer<JsonNode, String> visitor) {
        if (node.isObject()) {
            visitor.accept(node, path);
            node.properties().forEach(field -> {
                if (field.getValue().isContainerNode()) {
                    walk(field.getValue(), DocumentPath.field(path, field.getKey()), visitor);
                }
            });
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            if (node.get(i).isContainerNode()) {
                walk(node.get(i), DocumentPath.item(path, i), visitor);
            }
        }
    }
}
