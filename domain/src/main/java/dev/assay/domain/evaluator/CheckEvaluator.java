package dev.assay.domain.evaluator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.grading.GradePrompt;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.replay.RequestKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The evaluators of checks that are no groups. */
public final class CheckEvaluator {

    /** Fields of a stored check that do not change what it says. */
    private static final List<String> OF_ITS_ROLE = List.of("required", "weight", "metric", "description", "grader");

    private CheckEvaluator() {}

    /** The evaluator of a check where no model decides. */
    public static Evaluator of(Check check, UsedCode code) {
        return Evaluator.of(definition(Evaluator.CHECK, check, code));
    }

    /**
     * The evaluator of a check that {@code grader} decides.
     *
     * @param endpoint where the grader's provider is asked; null: it has no address
     */
    public static Evaluator of(Check check, UsedCode code, Agent grader, @Nullable String endpoint) {
        if (!(check.rule() instanceof GradedRule rule)) {
            throw new IllegalArgumentException("No model decides a check of type " + check.type());
        }
        ObjectNode definition = definition(Evaluator.GRADER, check, code);
        AskedModel.writeTo(definition, grader, endpoint, code);
        JudgePreview form = GradePrompt.form(rule);
        definition.put("systemPrompt", RequestKey.sha256(form.systemPrompt()));
        definition.put("prompt", RequestKey.sha256(form.prompt()));
        return Evaluator.of(definition);
    }

    /** What decides where the transforms of an answer made nothing of it. */
    public static Evaluator ofTransforms(UsedCode code) {
        ObjectNode definition = Json.mapper().createObjectNode();
        Evaluator.begin(definition, Evaluator.CHECK, CheckResult.TRANSFORM + "/1");
        code.writeTo(definition);
        return Evaluator.of(definition);
    }

    private static ObjectNode definition(String kind, Check check, UsedCode code) {
        ObjectNode stored = Json.mapper().valueToTree(check);
        stored.remove(OF_ITS_ROLE);
        ObjectNode definition = Json.mapper().createObjectNode();
        Evaluator.begin(definition, kind, check.rule().kind().code()).set("check", stored);
        if (usesCode(check, code)) {
            code.writeTo(definition);
        }
        return definition;
    }

    private static boolean usesCode(Check check, UsedCode code) {
        return check.rule() instanceof CodeRule
                || check.transform() != null
                || !code.transforms().isEmpty();
    }
}
