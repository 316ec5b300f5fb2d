package dev.assay.domain.grading;

import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.LaterChecks;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.code.ProgramRule;
import dev.assay.domain.check.code.ScriptRule;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.suite.Suite;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.tool.ToolPolicy;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The checks of a case that own code decides, and an outcome with their results. */
public final class OwnCode {

    private static final LaterChecks<CodeReply> CODE = new LaterChecks<>(
            CodeRule.class,
            (check, reply) -> new CheckResult(check.type(), rule(check).finding(reply, check.role()), check.role()));

    private OwnCode() {}

    private static CodeRule rule(Check check) {
        return (CodeRule) check.rule();
    }

    /** The rules of own code among {@code checks}, those of groups included, in order. */
    public static List<CodeRule> rules(List<Check> checks) {
        return CODE.among(checks).stream().map(OwnCode::rule).toList();
    }

    /** The rules of own code among all cases, each once. */
    public static List<CodeRule> rules(Suite suite) {
        return suite.cases().stream()
                .flatMap(one -> rules(one.checks().all()).stream())
                .distinct()
                .toList();
    }

    /** Why {@code policy} lets the code of {@code rule} not run, as a sentence; null: it may run. */
    public static @Nullable String refusal(CodeRule rule, CodeFiles files, ToolPolicy policy) {
        Set<String> closed = new TreeSet<>(files.env());
        closed.removeAll(policy.code().env());
        if (!closed.isEmpty()) {
            return "Own code may not see the variables " + String.join(", ", closed)
                    + "; `code: {env: […]}` in tools.yaml names those that it may.";
        }
        return switch (rule) {
            case ScriptRule script
            when policy.code().languages().contains(script.language().word()) -> null;
            case ProgramRule program when policy.allowsProgram(program.command().getFirst()) -> null;
            case ScriptRule script ->
                "Own code in %s may not run, or %s is not on the PATH; `code: {%1$s: true}` in tools.yaml allows it."
                        .formatted(script.language().word(), script.language().interpreter());
            case ProgramRule program ->
                "Own code may not start " + Excerpt.of(program.command().getFirst())
                        + ", or it is not on the PATH; `code: {programs: […]}` in tools.yaml allows it.";
        };
    }

    /** The outcome where the code of {@link #rules} has given {@code replies}, in order. */
    public static Outcome decided(Outcome outcome, List<Check> checks, List<CodeReply> replies) {
        return outcome.withChecks(CODE.results(checks, outcome.checks(), replies));
    }
}
