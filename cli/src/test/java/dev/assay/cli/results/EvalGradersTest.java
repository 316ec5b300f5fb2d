package dev.assay.cli.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.imports.ImportReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EvalGradersTest {

    private static final Path FILES = Path.of("src", "test", "resources", "results");

    @TempDir
    private Path directory;

    @Test
    void shouldWriteAScoringFileWithTheItemsFilledIn() {
        ImportReport report = new ImportReport();

        ObjectNode scoring = ResultGroups.graders(FILES.resolve("facts-openai.json"), report);

        assertThat(scoring).isNotNull();
        assertThat(scoring.path("name").asText()).isEqualTo("facts");
        assertThat(scoring.path("cases")).hasSize(5);
        JsonNode checks = scoring.at("/cases/0/checks");
        assertThat(checks.toString())
                .isEqualTo("[{\"type\":\"equals\",\"value\":\"Paris\",\"metric\":\"exact\"},"
                        + "{\"type\":\"icontains\",\"value\":\"Paris\",\"metric\":\"mentions\"},"
                        + "{\"type\":\"rubric\",\"value\":\"Rate: the response\",\"threshold\":0.5,"
                        + "\"grader\":{\"provider\":\"openai\",\"model\":\"gpt-6.1-terra\"},\"metric\":\"tone\"}]");
        assertThat(report.unmapped()).extracting("path").containsExactly("testing_criteria[2]", "testing_criteria[4]");
    }

    @Test
    void shouldLeaveOutWhatItemsWouldFillWhereThereAreNone() throws IOException {
        Path eval = Files.writeString(directory.resolve("eval.json"), """
            {"object": "eval", "id": "e", "name": "n", "testing_criteria": [
              {"type": "string_check", "name": "a", "operation": "ne", "input": "{{ sample.output_text }}", "reference": "no"},
              {"type": "string_check", "name": "b", "operation": "eq", "input": "{{sample.output_text}}", "reference": "{{item.x}}"}]}
            """);
        ImportReport report = new ImportReport();

        ObjectNode scoring = ResultGroups.graders(eval, report);

        assertThat(scoring).isNotNull();
        assertThat(scoring.path("checks").toString())
                .isEqualTo("[{\"type\":\"equals\",\"value\":\"no\",\"not\":true,\"metric\":\"a\"}]");
        assertThat(report.unmapped()).hasSize(1);
    }

    @Test
    void shouldTellResultsFromOtherFiles() {
        assertThat(ResultGroups.areResults(FILES.resolve("capitals.eval"))).isTrue();
        assertThat(ResultGroups.areResults(FILES.resolve("capitals-promptfoo.json")))
                .isTrue();
        assertThat(ResultGroups.areResults(FILES.resolve("facts-openai.json"))).isFalse();
        assertThat(ResultGroups.areResults(Path.of("pom.xml"))).isFalse();
    }
}
