package dev.assay.domain.check;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.OfferedTools;
import dev.assay.domain.document.Problems;
import dev.assay.domain.grading.GradeCall;
import dev.assay.domain.grading.GradePlan;
import dev.assay.domain.grading.GradeSlot;
import dev.assay.domain.grading.Prepared;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.suite.Case;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.verdicts.GoldenFile;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A verdict that changes is another evaluator's: its kind gets another number. */
final class GoldenVerdictsTest {

    static Stream<CheckKind> kinds() {
        return CheckKinds.BY_WORD.values().stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldSayTheSameAsEverUnderOneNumber(CheckKind kind) {
        List<JsonNode> rows = GoldenFile.rows(kind.code());

        assertThat(rows)
                .as("Verdicts of %s: a new kind, or a new number, needs rows in %s", kind.code(), GoldenFile.PATH)
                .isNotEmpty();
        for (JsonNode row : rows) {
            CheckResult result = result(kind, row);
            assertThat(result.status())
                    .as("%s says of %s: %s. Raise its number in its kind.", kind.code(), row, result.reason())
                    .isEqualTo(Status.valueOf(row.get("is").textValue()));
            if (row.has("score")) {
                assertThat(result.score())
                        .as("%s of %s; raise its number in its kind", kind.code(), row)
                        .isCloseTo(row.get("score").doubleValue(), org.assertj.core.api.Assertions.within(1e-9));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldShowAVerdictOfEachSortThatAKindGives(CheckKind kind) {
        Set<String> said = new HashSet<>();
        GoldenFile.rows(kind.code()).forEach(row -> said.add(row.get("is").textValue()));

        assertThat(said).containsAnyOf("FAILED", "UNSCORED");
        if (!kind.word().equals(LostRule.WORD)) {
            assertThat(said).contains("PASSED", "FAILED");
        }
    }

    @Test
    void shouldHaveNoVerdictsOfWhatIsNotThere() {
        List<String> known = new ArrayList<>(kinds().map(CheckKind::code).toList());
        known.addAll(List.of("llm-judge/1", "pairwise/1"));

        assertThat(GoldenFile.codes()).containsExactlyInAnyOrderElementsOf(known);
    }

    private static CheckResult result(CheckKind kind, JsonNode row) {
        Problems problems = new Problems();
        ObjectNode written = row.get("check").deepCopy();
        Check check = requireNonNull(CheckReader.read(written.put("type", kind.word()), "check", problems));
        assertThat(problems.errors()).as(row.toString()).isEmpty();
        return switch (check.rule()) {
            case CodeRule rule ->
                new CheckResult(
                        check.type(),
                        rule.finding(new CodeReply.Returned(row.get("said"), null), check.role()),
                        check.role());
            case GradedRule _ -> graded(check, row);
            default -> check.evaluate(input(row));
        };
    }

    /** The result where the grader says the same again when it is asked again. */
    private static CheckResult graded(Check check, JsonNode row) {
        String response = row.path("response").asText("Paris");
        Case suiteCase = new Case("one", List.of(Message.user("?")), List.of(), List.of(check), List.of(), Map.of());
        Outcome outcome = new Outcome(
                0,
                0,
                "s.a.1",
                new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                new Outcome.Answer(List.of(Message.user("?"), Message.assistant(response)), 0, response),
                Measured.NONE,
                List.of(check.evaluate(CheckInput.of(response))));
        List<GradeCall> calls = Stream.of(false, true)
                .map(isRepair -> new GradeCall(
                        new JudgeAnswer(
                                new GradeSlot(0, 0, isRepair).number(),
                                List.of(),
                                row.get("said").textValue(),
                                null,
                                true),
                        Measured.NONE,
                        "grader"))
                .toList();
        GradePlan.Step step = GradePlan.next(outcome, suiteCase, Prepared.NOTHING, calls);
        return ((GradePlan.Step.Done) step).outcome().checks().getFirst();
    }

    private static CheckInput input(JsonNode row) {
        String response = row.path("response").asText("");
        return new CheckInput(
                response,
                messages(row, response),
                row.path("finishReason").textValue(),
                measured(row),
                new Evidence(row.path("stdout").textValue(), List.of(), files(row), null),
                tools(row));
    }

    private static List<Message> messages(JsonNode row, String response) {
        List<Content> content = new ArrayList<>();
        content.add(new Content.Text(response));
        row.path("calls")
                .forEach(name -> content.add(new Content.ToolCall(
                        name.textValue(), name.textValue(), Json.mapper().createObjectNode())));
        return List.of(Message.user("?"), new Message(Role.ASSISTANT, content, null));
    }

    private static Measured measured(JsonNode row) {
        if (!row.has("seconds") && !row.has("cost") && !row.has("tokens")) {
            return Measured.NONE;
        }
        int tokens = row.path("tokens").asInt();
        BigDecimal cost = row.has("cost") ? row.get("cost").decimalValue() : null;
        return new Measured(
                tokens == 0 ? Usage.NONE : Usage.of(tokens, 0),
                cost,
                Duration.ofSeconds(row.path("seconds").asLong()));
    }

    private static @Nullable Set<String> files(JsonNode row) {
        return row.has("files")
                ? Set.copyOf(StreamSupport.stream(row.get("files").spliterator(), false)
                        .map(JsonNode::textValue)
                        .toList())
                : null;
    }

    private static OfferedTools tools(JsonNode row) {
        Map<String, JsonNode> schemas = new HashMap<>();
        row.path("schemas").properties().forEach(tool -> schemas.put(tool.getKey(), tool.getValue()));
        return row.has("schemas") ? new OfferedTools(schemas, true) : OfferedTools.UNKNOWN;
    }
}
