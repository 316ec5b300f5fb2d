package dev.assay.work.compute;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.json.Json;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Checks of one answer. */
public record CheckTask(List<Check> checks, CheckInput input) implements Task<Finding> {

    public CheckTask {
        checks = List.copyOf(checks);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.CHECKS;
    }

    @Override
    public List<NamedDefinition> definitions() {
        return checks.stream().map(CheckDefinitions::of).toList();
    }

    @Override
    public Finding answer(JsonNode said) throws JsonProcessingException {
        Finding found = Strict.read(said, Finding.class);
        requireNonNull(found.status());
        requireNonNull(found.reason());
        requireWhole(found.members());
        return found;
    }

    private static void requireWhole(List<CheckResult> members) {
        for (CheckResult member : members) {
            requireNonNull(member.type());
            requireNonNull(member.status());
            requireNonNull(member.reason());
            requireWhole(member.members());
        }
    }

    @Override
    public boolean goesOn() {
        return true;
    }

    static Performer performer(JsonNode input) throws JsonProcessingException {
        CheckInput checked = Json.mapper().treeToValue(input, CheckInput.class);
        return sent -> {
            Check check = sent.read(Check.class, text -> Json.read(text, Check.class));
            CheckResult result = evaluate(check, checked);
            return new Finding(result.status(), result.score(), result.reason(), result.members());
        };
    }

    /** The result of {@code check}; UNSCORED where it fails: a defect of ours must not cost an answer that was paid for. */
    public static CheckResult evaluate(Check check, CheckInput input) {
        try {
            return check.evaluate(input);
        } catch (StackOverflowError e) {
            return check.unscored(name(check) + " is nested too deeply for this response.");
        } catch (RuntimeException e) {
            LoggerFactory.getLogger(CheckTask.class).error("{} failed unexpectedly", name(check), e);
            return check.unscored(
                    name(check) + " failed unexpectedly (" + e.getClass().getSimpleName() + ").");
        }
    }

    /** The check at the beginning of a sentence. */
    public static String name(Check check) {
        return "The check of type " + check.type();
    }
}
