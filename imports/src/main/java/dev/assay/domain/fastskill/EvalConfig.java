package dev.assay.domain.fastskill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TomlText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code [tool.fastskill.eval]} of a TOML file.
 *
 * @param prompts path of {@code prompts.csv}, from the file's directory
 * @param checks path of {@code checks.toml}; null: there are no checks
 * @param trials repetitions of each case, 1–1000
 * @param parallel trials at the same time; null: as many as there are processors
 * @param passThreshold share of a case's trials that must pass, 0–1
 * @param failOnMissingAgent whether a missing agent ends the run before anything runs; else its trials are errors
 */
public record EvalConfig(
        String prompts,
        @Nullable String checks,
        BigDecimal timeoutSeconds,
        int trials,
        @Nullable Integer parallel,
        double passThreshold,
        boolean failOnMissingAgent) {

    /** The table is not there, or does not name the prompts. */
    public static final String MISSING = "EVAL_CONFIG_MISSING";

    /** Something else is wrong with it. */
    private static final String INVALID = "EVAL_CONFIG_INVALID";

    private static final String TABLE = "tool.fastskill.eval";

    private static final Fields FIELDS = Fields.of(
            "evalTable",
            "prompts",
            "checks",
            "timeout_seconds",
            "trials_per_case",
            "parallel",
            "pass_threshold",
            "fail_on_missing_agent");

    private static final Map<String, String> CODES = Map.of(
            TABLE + ".prompts", MISSING,
            TABLE + ".trials_per_case", "EVAL_INVALID_TRIALS_CONFIG",
            TABLE + ".pass_threshold", "EVAL_INVALID_THRESHOLD");

    private static final NumberRule TIMEOUT = NumberRule.above(0, 86_400).withDecimals(3);
    private static final NumberRule TRIALS = NumberRule.whole(1, 1000);
    private static final NumberRule PARALLEL = NumberRule.whole(1, 10_000);
    private static final NumberRule THRESHOLD = NumberRule.between(0, 1);

    /** The settings where a directory has only prompts and checks. */
    public static EvalConfig ofFiles(String prompts, @Nullable String checks) {
        return new EvalConfig(prompts, checks, BigDecimal.valueOf(900), 1, null, 1.0, true);
    }

    /**
     * Reads the table; null: the file has none.
     *
     * @param text a TOML file, in which anything else may stand
     * @throws AssayException INVALID_INPUT with every error, MALFORMED_INPUT when it is no TOML
     */
    public static @Nullable EvalConfig readIfThere(String text) {
        ObjectNode file;
        try {
            file = TomlText.parse(text);
        } catch (AssayException e) {
            throw new AssayException(e.code(), INVALID + ": " + e.getMessage(), e);
        }
        JsonNode table = file.at("/tool/fastskill/eval");
        return table.isMissingNode() ? null : read(table);
    }

    /**
     * Reads the table.
     *
     * @throws AssayException INVALID_INPUT with every error, among them that the file has no such table; MALFORMED_INPUT when it is
     *     no TOML
     */
    public static EvalConfig read(String text) {
        EvalConfig config = readIfThere(text);
        if (config == null) {
            throw new AssayException(ErrorCode.INVALID_INPUT, MISSING + ": There is no table [" + TABLE + "]; add it.");
        }
        return config;
    }

    private static EvalConfig read(JsonNode table) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(table, TABLE, FIELDS, problems);
        EvalConfig defaults = ofFiles("", null);
        BigDecimal timeout = fields.decimal("timeout_seconds", TIMEOUT);
        BigDecimal threshold = fields.decimal("pass_threshold", THRESHOLD);
        EvalConfig config = new EvalConfig(
                fields.text("prompts"),
                fields.nullableText("checks"),
                timeout == null ? defaults.timeoutSeconds : timeout,
                fields.integer("trials_per_case", TRIALS, defaults.trials),
                fields.has("parallel") ? Integer.valueOf(fields.integer("parallel", PARALLEL, 1)) : null,
                threshold == null ? defaults.passThreshold : threshold.doubleValue(),
                fields.flag("fail_on_missing_agent", defaults.failOnMissingAgent));
        DocumentLimits.check(table, TABLE, problems);
        FastSkillErrors.throwIfAny(problems, "table [" + TABLE + "]", path -> CODES.getOrDefault(path, INVALID));
        return config;
    }
}
