package dev.assay.domain.grading;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckLeaves;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeNeed;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.code.CodeUse;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.check.code.ScriptRule;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.Suite;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.tool.ToolPolicy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The own code of a campaign: where it runs, what it needs, and whether it may. */
public final class OwnCode {

    private OwnCode() {}

    /** The rules of own code among {@code checks}, those of groups included, in order. */
    public static List<CodeRule> rules(List<Check> checks) {
        return CheckLeaves.of(checks).stream()
                .flatMap(check -> check.rule() instanceof CodeRule rule ? Stream.of(rule) : Stream.empty())
                .toList();
    }

    /** What the own code needs that runs on the answers of a branch to a case, each once; empty: none runs. */
    public static List<CodeNeed> needs(Branch branch, Case suiteCase) {
        return Stream.concat(Transforms.ofBranch(branch).map(Script::need), needs(suiteCase))
                .distinct()
                .toList();
    }

    private static Stream<CodeNeed> needs(Case suiteCase) {
        return Stream.concat(
                Transforms.ofCase(suiteCase).map(Script::need),
                rules(suiteCase.checks().all()).stream().map(CodeRule::need));
    }

    /** What the own code of a campaign needs, each once. */
    public static Set<CodeNeed> needs(CampaignDefinition definition, Suite suite) {
        Set<CodeNeed> needs =
                scripts(definition).map(used -> used.script().need()).collect(Collectors.toSet());
        suite.cases().forEach(one -> needs(one).forEach(needs::add));
        return needs;
    }

    /** The code of a campaign that interpreters load, each once. Programs have none. */
    public static Set<UsedScript> scripts(CampaignDefinition definition, Suite suite) {
        Set<UsedScript> scripts = new LinkedHashSet<>();
        scripts(definition).forEach(scripts::add);
        for (Case one : suite.cases()) {
            Transforms.ofCase(one).forEach(script -> scripts.add(new UsedScript(script, CodeUse.OUTPUT)));
            for (CodeRule rule : rules(one.checks().all())) {
                if (rule instanceof ScriptRule script) {
                    scripts.add(new UsedScript(script.script(), CodeUse.CHECK));
                }
            }
        }
        return scripts;
    }

    private static Stream<UsedScript> scripts(CampaignDefinition definition) {
        Stream<UsedScript> ofAgents = definition
                .agentsAsked()
                .flatMap(agent -> agent.ownCode().stream())
                .map(code -> new UsedScript(code.script(), CodeUse.PROVIDER));
        Stream<UsedScript> ofBranches = definition.branches().stream()
                .flatMap(branch -> Stream.concat(
                        Stream.ofNullable(branch.wording().promptCode())
                                .map(code -> new UsedScript(code.script(), code.use())),
                        Transforms.ofBranch(branch).map(script -> new UsedScript(script, CodeUse.OUTPUT))));
        return Stream.concat(ofAgents, ofBranches);
    }

    /** Why {@code policy} lets own code not run, as a sentence; null: it may run. */
    public static @Nullable String refusal(CodeNeed need, CodeFiles files, ToolPolicy policy) {
        Set<String> closed = new TreeSet<>(files.env());
        closed.removeAll(policy.code().env());
        if (!closed.isEmpty()) {
            return "Own code may not see the variables " + String.join(", ", closed)
                    + "; `code: {env: […]}` in tools.yaml names those that it may.";
        }
        String program = need.program();
        if (program != null) {
            return policy.allowsProgram(program)
                    ? null
                    : "Own code may not start " + Excerpt.of(program)
                            + ", or it is not on the PATH; `code: {programs: […]}` in tools.yaml allows it.";
        }
        CodeLanguage language = need.language();
        return policy.code().languages().contains(language.word())
                ? null
                : "Own code in %s may not run, or %s is not on the PATH; `code: {%1$s: true}` in tools.yaml allows it."
                        .formatted(language.word(), language.interpreter());
    }
}
