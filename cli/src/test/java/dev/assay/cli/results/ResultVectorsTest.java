package dev.assay.cli.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import dev.assay.domain.results.AggregateTally;
import dev.assay.domain.results.ComparedAggregate;
import dev.assay.domain.results.ImportHeader;
import dev.assay.domain.results.ResultLine;
import dev.assay.domain.results.ResultLineReader;
import dev.assay.domain.results.form.ImportChoices;
import dev.assay.domain.results.form.ToolResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real files of the tools, and what they come to. */
final class ResultVectorsTest {

    private static final Path FILES = Path.of("src", "test", "resources", "results");
    private static final double TOLERANCE = 1e-9;

    /** A vector, by its name. */
    record Vector(String id, JsonNode input, JsonNode expected) {

        @Override
        public String toString() {
            return id;
        }
    }

    static Stream<Vector> vectors() throws IOException {
        JsonNode all = Json.mapper().readTree(Files.readString(FILES.resolve("expected.json")));
        return StreamSupport.stream(all.spliterator(), false)
                .map(one -> new Vector(one.path("id").asText(), one.path("input"), one.path("expected")));
    }

    /** What was read. */
    private record Read(ObjectNode header, List<ObjectNode> cases, List<ObjectNode> outcomes, boolean complete) {}

    private static Read read(JsonNode input) {
        List<OpenFile> open = new ArrayList<>();
        input.path("files").forEach(name -> open.add(OpenFile.of(FILES.resolve(name.asText()))));
        try {
            List<ResultGroups.Group> groups = ResultGroups.of(open);
            assertThat(groups).hasSize(1);
            ImportChoices options = new ImportChoices(
                    null,
                    null,
                    input.has("passAt") ? (Double) input.get("passAt").doubleValue() : null,
                    input.path("verdict").textValue(),
                    false);
            ToolResults results = groups.getFirst().reading().read(options);
            List<ObjectNode> cases = new ArrayList<>();
            List<ObjectNode> outcomes = new ArrayList<>();
            results.write(line -> {
                if (line.has("case")) {
                    cases.add((ObjectNode) line.get("case"));
                } else {
                    outcomes.add(line);
                }
            });
            return new Read(results.header(), cases, outcomes, results.ended() == null);
        } finally {
            open.forEach(OpenFile::close);
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldReadWhatTheToolRecorded(Vector vector) {
        Read read = read(vector.input());
        JsonNode expected = vector.expected();
        List<String> caseIds =
                read.cases().stream().map(one -> one.path("id").asText()).toList();
        List<String> branchIds = texts(read.header().path("branches"), "id");

        assertThat(caseIds).isEqualTo(texts(expected.path("cases"), null));
        assertThat(read.header().path("tool")).isEqualTo(expected.path("tool"));
        assertThat(read.header().path("toolVersion").textValue())
                .isEqualTo(expected.path("toolVersion").textValue());
        assertThat(read.header().path("trials").asInt())
                .isEqualTo(expected.path("trials").asInt());
        assertThat(texts(read.header().path("branches"), "model")).isEqualTo(texts(expected.path("branches"), null));
        assertThat(read.complete()).isEqualTo(expected.path("complete").asBoolean());
        List<ObjectNode> sorted = new ArrayList<>(read.outcomes());
        sorted.sort(Comparator.comparingInt(
                        (ObjectNode one) -> one.path("trial").asInt())
                .thenComparingInt(one -> caseIds.indexOf(one.path("caseId").asText()))
                .thenComparingInt(one -> branchIds.indexOf(one.path("branchId").asText())));
        assertThat(sorted).hasSameSizeAs(expected.path("outcomes"));
        for (int i = 0; i < sorted.size(); i++) {
            ObjectNode outcome = sorted.get(i);
            if (outcome.has("error")) {
                outcome.set("error", outcome.path("error").path("message"));
            }
            outcome.put("branch", branchIds.indexOf(outcome.path("branchId").asText()));
            assertContains(outcome, expected.path("outcomes").get(i), vector + " outcome " + i);
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldComeToTheNumbersOfTheTool(Vector vector) {
        Read read = read(vector.input());
        ImportHeader header = ImportHeader.read(read.header());
        ResultLineReader reader = new ResultLineReader(header.origin());
        AggregateTally tally = new AggregateTally(header.aggregates());
        Map<String, Set<String>> tags = new HashMap<>();
        Problems problems = new Problems();
        read.cases().forEach(one -> {
            ObjectNode line = Json.mapper().createObjectNode();
            line.set("case", one);
            if (reader.read(line, "line", problems) instanceof ResultLine.OfCase(var value)) {
                tags.put(value.id(), Set.copyOf(value.tags()));
            }
        });
        read.outcomes().forEach(one -> {
            if (reader.read(one, "line", problems) instanceof ResultLine.OfOutcome(var value)) {
                tally.add(value, tags.getOrDefault(value.place().caseId(), Set.of()));
            }
        });

        assertThat(problems.errors()).isEmpty();
        List<String> branchIds = texts(read.header().path("branches"), "id");
        for (JsonNode expected : vector.expected().path("metrics")) {
            assertThat(tally.compared())
                    .as("%s among %s", expected, tally.compared())
                    .anyMatch(one -> isSame(one, expected, branchIds));
        }
    }

    private static boolean isSame(ComparedAggregate one, JsonNode expected, List<String> branchIds) {
        return one.metric().equals(expected.path("metric").asText())
                && branchIds.indexOf(one.branch()) == expected.path("branch").asInt()
                && isNear(one.theirs(), expected.path("theirs"))
                && isNear(one.ours(), expected.path("ours"));
    }

    private static boolean isNear(Double found, JsonNode expected) {
        return expected.isNull()
                ? found == null
                : found != null && Math.abs(found - expected.doubleValue()) <= TOLERANCE;
    }

    private static List<String> texts(JsonNode list, String field) {
        List<String> texts = new ArrayList<>();
        list.forEach(item ->
                texts.add(field == null ? item.asText() : item.path(field).asText()));
        return texts;
    }

    /** Objects may hold more than is expected; lists have its length and order. */
    private static void assertContains(JsonNode found, JsonNode expected, String what) {
        if (expected.isObject()) {
            expected.properties()
                    .forEach(field ->
                            assertContains(found.path(field.getKey()), field.getValue(), what + " " + field.getKey()));
        } else if (expected.isArray()) {
            assertThat(found.size()).as(what).isEqualTo(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                assertContains(found.path(i), expected.get(i), what + " " + i);
            }
        } else if (expected.isNumber()) {
            assertThat(found.isNumber()).as("%s is a number: %s", what, found).isTrue();
            assertThat(found.doubleValue()).as(what).isCloseTo(expected.doubleValue(), within(TOLERANCE));
        } else if (expected.isNull()) {
            assertThat(found.isNull() || found.isMissingNode())
                    .as("%s is null: %s", what, found)
                    .isTrue();
        } else {
            assertThat(found).as(what).isEqualTo(expected);
        }
    }
}
