package dev.assay.domain.grading;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckLeaves;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.check.code.Transformation;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.OfferedTools;
import dev.assay.domain.check.run.RunRule;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.suite.Case;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.trace.Traces;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What transforms make of answers, and who sees it. */
public final class Transforms {

    private Transforms() {}

    /** The transforms of an answer, in order: the branch's, and then the case's. */
    public static List<Script> ofAnswer(Branch branch, Case suiteCase) {
        return Stream.concat(
                        ofBranch(branch), Stream.ofNullable(suiteCase.checks().transform()))
                .toList();
    }

    static Stream<Script> ofBranch(Branch branch) {
        return Stream.ofNullable(branch.wording().transform());
    }

    /** The transforms of a case and of its checks. */
    static Stream<Script> ofCase(Case suiteCase) {
        return Stream.concat(
                Stream.ofNullable(suiteCase.checks().transform()),
                CheckLeaves.of(suiteCase.checks().all()).stream()
                        .flatMap(check -> Stream.ofNullable(check.transform())));
    }

    /**
     * The outcome whose answer could not be transformed: nothing else is checked.
     *
     * @param evaluator hash of the transforms
     */
    public static Outcome failed(Outcome outcome, Finding finding, String evaluator) {
        return outcome.withChecks(
                List.of(new CheckResult(CheckResult.TRANSFORM, finding, CheckRole.REQUIRED).by(evaluator)));
    }

    /** The result of a check whose own transform gave it nothing to see. {@code not} does not turn that. */
    public static CheckResult failed(Check check, Finding finding) {
        return new CheckResult(check.type(), finding, check.role());
    }

    /**
     * Whether a check that needs neither own code nor a grader is to be evaluated again, since it sees another answer. What a program
     * did is not known any more: a check on that keeps its result.
     */
    public static boolean isEvaluatedAgain(Check check, Outcome outcome, boolean isTransformed) {
        boolean isOfProgram = outcome.answer().program() != null && check.rule() instanceof RunRule;
        return (isTransformed || check.transform() != null) && !isOfProgram;
    }

    /** What the checks that are no groups said when the answer was there, in order. */
    public static List<CheckResult> before(Outcome outcome, Case suiteCase) {
        List<Check> checks = suiteCase.checks().all();
        boolean isKnown = outcome.checks().size() == checks.size()
                && outcome.checks().stream().noneMatch(result -> result.type().equals(CheckResult.TRANSFORM));
        return isKnown
                ? CheckLeaves.results(checks, outcome.checks())
                : CheckLeaves.of(checks).stream()
                        .map(check -> check.unscored("What the program did is not known any more: its answer could not"
                                + " be transformed when it was."))
                        .toList();
    }

    /** What a check sees of an outcome whose answer became {@code value}. */
    public static CheckInput input(Outcome outcome, Branch branch, JsonNode value) {
        return new CheckInput(
                Transformation.text(value),
                outcome.newMessages(),
                outcome.answer().finishReason(),
                outcome.measured(),
                new Evidence(null, Traces.of(outcome.newMessages()), null, null),
                offered(branch));
    }

    /** The tools that the model of a branch could call. */
    public static OfferedTools offered(Branch branch) {
        Map<String, JsonNode> schemas = new HashMap<>();
        boolean complete = true;
        for (Tool tool : branch.tools().tools()) {
            switch (tool) {
                case Tool.BuiltIn builtIn ->
                    schemas.put(builtIn.name(), builtIn.tool().spec().parameters());
                case Tool.Http http -> schemas.put(http.name(), http.spec().parameters());
                case Tool.Mcp _ -> complete = false;
            }
        }
        return new OfferedTools(schemas, complete);
    }

    /**
     * A check that is no group.
     *
     * @param seen what it saw
     * @param result what it said; of one that a grader decides, what it said without
     * @param ran interpreters that ran code for it
     */
    public record Leaf(Check check, Transformation seen, CheckResult result, List<Interpreter> ran) {

        public Leaf {
            ran = List.copyOf(ran);
        }
    }

    /** An outcome as own code left it. */
    public record Decided(Outcome outcome, Prepared prepared) {}

    /**
     * The outcome with what its checks said.
     *
     * @param value what the transforms of the answer came to
     * @param leaves of {@link CheckLeaves#of}, in order
     */
    public static Decided decided(Outcome outcome, Case suiteCase, JsonNode value, List<Leaf> leaves) {
        List<CheckResult> results = leaves.stream().map(Leaf::result).toList();
        return new Decided(
                outcome.withOutput(value)
                        .withChecks(CheckLeaves.joined(suiteCase.checks().all(), results)),
                prepared(leaves));
    }

    private static Prepared prepared(List<Leaf> leaves) {
        Map<Integer, String> texts = new TreeMap<>();
        Set<Integer> decided = new TreeSet<>();
        List<Leaf> graded = leaves.stream()
                .filter(leaf -> leaf.check().rule() instanceof GradedRule)
                .toList();
        for (int i = 0; i < graded.size(); i++) {
            switch (graded.get(i).seen()) {
                case Transformation.None _ -> decided.add(i);
                case Transformation.Value(JsonNode value) -> {
                    if (graded.get(i).check().transform() != null) {
                        texts.put(i, Transformation.text(value));
                    }
                }
            }
        }
        return new Prepared(
                texts,
                decided,
                graded.stream().flatMap(leaf -> leaf.ran().stream()).distinct().toList());
    }
}
