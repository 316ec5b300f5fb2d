package dev.assay.domain.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.Grade;
import dev.assay.domain.check.rule.NamedScore;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.evaluator.Evaluator;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What another tool's scorers said, as results of checks. Nothing is evaluated. */
final class CheckLines {

    private static final Fields CHECK = Fields.of(
            "check",
            "type",
            "metric",
            "status",
            "score",
            "value",
            "reason",
            "required",
            "weight",
            "description",
            "checks",
            "grade",
            "namedScores",
            "lost",
            // Of an export: here the tool is the evaluator.
            "evaluator");

    private static final Fields GRADE = Fields.of("grade", "call", "usage", "costUsd");
    private static final Fields NAMED = Fields.of("namedScore", "score", "weight");

    /** Digits behind the point that a number of a double may have. */
    static final int DECIMALS = 1_100;

    private static final NumberRule SCORE = NumberRule.between(0, 1).withDecimals(DECIMALS);
    private static final NumberRule CALL = NumberRule.whole(0, Integer.MAX_VALUE);
    private static final NumberRule WEIGHT = NumberRule.between(0, 1_000_000_000);
    private static final int LONGEST = 512;
    private static final int MOST = 10_000;
    private static final int DEEPEST = 10;

    private static final Map<String, Status> STATUSES = statuses();

    private final ImportOrigin origin;
    private final Map<String, Evaluator> evaluators = new HashMap<>();

    CheckLines(ImportOrigin origin) {
        this.origin = origin;
    }

    private static Map<String, Status> statuses() {
        Map<String, Status> statuses = new LinkedHashMap<>();
        for (Status status : Status.values()) {
            statuses.put(status.name(), status);
        }
        return statuses;
    }

    /** The evaluators of what was read. */
    Collection<Evaluator> evaluators() {
        return List.copyOf(evaluators.values());
    }

    /** Reads the field {@code checks}. */
    List<CheckResult> read(FieldReader line) {
        List<CheckResult> checks = line.hasValue("checks")
                ? line.list("checks", (node, path, problems) -> one(node, path, problems, 0))
                : List.of();
        if (checks.size() > MOST) {
            line.problem("checks", "There are " + checks.size() + " checks; send at most " + MOST + " of an outcome.");
        }
        return checks;
    }

    private @Nullable CheckResult one(JsonNode node, String path, Problems problems, int depth) {
        FieldReader fields = FieldReader.of(node, path, CHECK, problems);
        if (depth > DEEPEST) {
            problems.add(path, "`" + path + "` is nested deeper than " + DEEPEST + " groups; make it flatter.");
            return null;
        }
        Status status = fields.word("status", STATUSES);
        String metric = fields.hasValue("metric") ? fields.line("metric", LONGEST) : null;
        String type = fields.hasValue("type") ? fields.line("type", LONGEST) : CheckResult.IMPORTED;
        BigDecimal score = fields.nullableDecimal("score", SCORE);
        List<CheckResult> members = fields.hasValue("checks")
                ? fields.list("checks", (item, at, found) -> one(item, at, found, depth + 1))
                : List.of();
        boolean isUnscored = status == null || status == Status.UNSCORED;
        JsonNode value = fields.node("value");
        return new CheckResult(
                CheckResult.IMPORTED,
                status == null ? Status.UNSCORED : status,
                score == null || isUnscored ? null : (Double) score.doubleValue(),
                fields.hasValue("reason") ? fields.anyText("reason") : "",
                fields.flag("required", true),
                fields.nullableDecimal("weight", WEIGHT),
                metric,
                fields.hasValue("description") ? fields.anyText("description") : null,
                members,
                grade(fields),
                value,
                named(fields),
                fields.flag("lost", false) ? (Boolean) true : null,
                evaluator(metric == null ? type : metric).hash());
    }

    private static @Nullable Grade grade(FieldReader check) {
        FieldReader grade = check.hasValue("grade") ? check.object("grade", GRADE) : null;
        return grade == null
                ? null
                : new Grade(
                        grade.integer("call", CALL, 0),
                        UsageLines.read(grade),
                        grade.nullableDecimal("costUsd", UsageLines.COST));
    }

    /** Scores under names of their own, in the order of the line. */
    private static Map<String, NamedScore> named(FieldReader check) {
        Map<String, FieldReader> written = check.nullableObjects("namedScores", NAMED);
        if (written.size() > MOST) {
            check.problem(
                    "namedScores", "There are " + written.size() + " scores; send at most " + MOST + " of a check.");
        }
        Map<String, NamedScore> named = new LinkedHashMap<>();
        written.forEach((name, fields) ->
                named.put(name, new NamedScore(finite(fields, "score", 0), Math.max(0, finite(fields, "weight", 1)))));
        return named;
    }

    /** A finite number of any size. */
    private static double finite(FieldReader fields, String name, double fallback) {
        JsonNode value = fields.node(name);
        if (value == null) {
            return fallback;
        }
        if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
            fields.problem(name, "`" + name + "` must be a number.");
            return fallback;
        }
        return value.doubleValue();
    }

    private Evaluator evaluator(String scorer) {
        Evaluator known = evaluators.get(scorer);
        if (known != null) {
            return known;
        }
        ObjectNode definition = Json.mapper().createObjectNode();
        definition.put("kind", Evaluator.IMPORTED).put("code", origin.tool() + "/" + scorer);
        definition
                .put("tool", origin.tool())
                .put("toolVersion", origin.toolVersion())
                .put("scorer", scorer);
        Evaluator made = Evaluator.of(definition);
        // A stranger's file may name another scorer in each line.
        if (evaluators.size() < MOST) {
            evaluators.put(scorer, made);
        }
        return made;
    }

    /** Whether all required checks passed; null: there is none, or one is unscored and none failed. */
    static @Nullable Boolean verdict(List<CheckResult> checks) {
        List<Status> required = new ArrayList<>();
        checks.stream().filter(CheckResult::required).forEach(check -> required.add(check.status()));
        if (required.contains(Status.FAILED)) {
            return false;
        }
        boolean isOpen = required.isEmpty() || required.contains(Status.UNSCORED);
        return isOpen ? null : (Boolean) true;
    }
}
