package dev.assay.domain.promptfoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckScore;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.YamlText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.imports.ImportDefaults;
import dev.assay.domain.imports.Imported;
import dev.assay.domain.imports.SourcePrograms;
import dev.assay.domain.json.Json;
import dev.assay.domain.suite.Case;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What promptfoo itself said of its own configurations, in {@code vectors/promptfoo.json}. */
class PromptfooVectorsTest {

    @TestFactory
    Stream<DynamicTest> shouldSayWhatPromptfooSays() throws IOException {
        JsonNode vectors;
        try (InputStream stream = PromptfooVectorsTest.class.getResourceAsStream("/vectors/promptfoo.json")) {
            vectors = Json.mapper().readTree(Objects.requireNonNull(stream));
        }
        List<DynamicTest> tests = new ArrayList<>();
        vectors.forEach(vector ->
                tests.add(DynamicTest.dynamicTest(vector.path("id").asText(), () -> {
                    switch (vector.path("function").asText()) {
                        case "promptfooRun" -> run(vector.path("input"), vector.path("expected"));
                        case "promptfooAssert" -> check(vector.path("input"), vector.path("expected"));
                        case "promptfooUnmapped" -> unmapped(vector.path("input"), vector.path("expected"));
                        default -> throw new AssertionError("unknown function");
                    }
                })));
        return tests.stream();
    }

    static Imported imported(JsonNode files) {
        Map<String, String> texts = new LinkedHashMap<>();
        files.properties()
                .forEach(file -> texts.put(file.getKey(), file.getValue().textValue()));
        String config = Objects.requireNonNull(texts.get("promptfooconfig.yaml"));
        return PromptfooConfig.read(
                DocumentText.parse(config), "import", new MapFiles(texts), SourcePrograms.NONE, ImportDefaults.NONE);
    }

    /** Also that the campaign file which is written reads back equal. */
    static CampaignSubmission read(Imported imported) {
        imported.report().throwIfAny("configuration", false);
        CampaignSubmission read = CampaignReader.readForServer(imported.document());
        JsonNode written = DocumentText.parse(YamlText.write(imported.document()));
        CampaignSubmission again = CampaignReader.readForServer(written);
        assertThat(again.suite()).isEqualTo(read.suite());
        assertThat(again.definition()).isEqualTo(read.definition());
        return read;
    }

    private static void run(JsonNode input, JsonNode expected) {
        CampaignSubmission read = read(imported(input.path("files")));
        assertThat(read.definition().trials()).isEqualTo(expected.path("trials").asInt());
        List<Branch> branches = read.definition().branches();
        assertThat(branches).hasSize(expected.path("columns").size());
        for (int i = 0; i < branches.size(); i++) {
            assertThat(branches.get(i).id())
                    .startsWith(expected.path("columns").get(i).path("provider").textValue());
        }
        List<Case> cases = read.suite().cases();
        assertThat(cases).hasSize(expected.path("cases").size());
        for (int i = 0; i < cases.size(); i++) {
            JsonNode one = expected.path("cases").get(i);
            ObjectNode vars = JsonNodeFactory.instance.objectNode();
            vars.setAll(cases.get(i).vars());
            assertThat(vars).isEqualTo(Json.tree(one.path("vars").toString()));
            assertThat(cases.get(i).metadata().get("description"))
                    .isEqualTo(one.path("description").textValue());
        }
        for (JsonNode cell : expected.path("cells")) {
            Case asked = branches.get(cell.path("column").asInt())
                    .ask(cases.get(cell.path("test").asInt()))
                    .suiteCase();
            String sent = asked.prompts().getFirst().text();
            assertThat(sent).isEqualTo(cell.path("sent").textValue());
            verify(asked, sent, cell);
        }
    }

    private static void check(JsonNode input, JsonNode expected) {
        ObjectNode config = JsonNodeFactory.instance.objectNode();
        config.putArray("prompts").add("x");
        config.putArray("providers").add("echo");
        ObjectNode test = config.putArray("tests").addObject();
        test.set("assert", input.path("assert"));
        if (input.has("threshold")) {
            test.set("threshold", input.path("threshold"));
        }
        Case asked = read(PromptfooConfig.read(
                        config, "import", MapFiles.NONE, SourcePrograms.NONE, ImportDefaults.NONE))
                .suite()
                .cases()
                .getFirst();
        verify(asked, echoed(input.path("output").textValue()), expected);
    }

    /** What promptfoo's echo made of the output: a prompt that is JSON is written anew. */
    private static String echoed(String output) {
        try {
            return Json.indented(DocumentText.parseJsonOnly(output));
        } catch (AssayException notJson) {
            return output;
        }
    }

    private static void verify(Case asked, String response, JsonNode expected) {
        List<CheckResult> results = new ArrayList<>();
        for (Check check : asked.checks().all()) {
            results.add(check.evaluate(CheckInput.of(response)));
        }
        CheckScore score = CheckScore.of(results, asked.checks().threshold());
        if (!results.isEmpty()) {
            assertThat(score.status() == CheckResult.Status.PASSED)
                    .isEqualTo(expected.path("passed").asBoolean());
            assertThat(score.score()).isCloseTo(expected.path("score").asDouble(), within(1e-9));
        }
        List<CheckResult> flat = new ArrayList<>();
        results.forEach(result -> flatten(result, flat));
        JsonNode checks = expected.path("checks");
        assertThat(flat).hasSize(checks.size());
        for (int i = 0; i < flat.size(); i++) {
            JsonNode one = checks.get(i);
            assertThat(flat.get(i).score())
                    .as(one.toString())
                    .isCloseTo(one.path("score").asDouble(), within(1e-9));
            if (flat.get(i).share() > 0) {
                assertThat(flat.get(i).status() == CheckResult.Status.PASSED)
                        .as(one.toString())
                        .isEqualTo(one.path("passed").asBoolean());
            }
        }
    }

    private static void flatten(CheckResult result, List<CheckResult> flat) {
        flat.add(result);
        List<CheckResult> members = result.members();
        if (members != null) {
            members.forEach(member -> flatten(member, flat));
        }
    }

    private static void unmapped(JsonNode input, JsonNode expected) {
        Imported imported = imported(input.path("files"));
        assertThat(paths(imported.report().unmapped())).isEqualTo(texts(expected.path("errors")));
        assertThat(paths(imported.report().notes())).isEqualTo(texts(expected.path("notes")));
        imported.report().throwIfAny("configuration", true);
    }

    private static List<String> paths(List<FieldError> errors) {
        return errors.stream().map(FieldError::path).toList();
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }
}
