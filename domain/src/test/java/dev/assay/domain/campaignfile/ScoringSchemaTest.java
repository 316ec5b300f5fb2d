package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.provider.WorkerCapabilities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScoringSchemaTest {

    private static final int DOCUMENTS = 3_000;

    private static final String FULL = """
        name: strictly
        description: What is left when only the city counts?
        checks: [{type: regex, value: "^Paris"}, {type: rubric, value: Polite, threshold: 0.5}]
        cases: [{id: france, checks: [{type: contains, value: Paris, weight: 2}], threshold: 0.5}]
        keepChecks: true
        branches: [small]
        grader: {provider: openai, model: g}
        strategy: {type: llm-judge, judge: {provider: openai, model: j}}
        gate: {passThreshold: 0.5}
        reducers: [mean]
        statistics: {groupBy: metadata.language}
        limits: {maxConcurrent: 3}
        codeEnv: [HOME]
        """;

    /** The campaign whose answers are scored. */
    private static final CampaignSubmission SCORED =
            CampaignReader.read(DocumentText.parse("""
                name: capitals
                cases:
                  - {id: france, prompt: France?, checks: [{type: contains, value: Paris}], metadata: {target: Paris, language: fr}}
                  - {id: spain, prompt: Spain?, checks: [{type: contains, value: Madrid}], metadata: {target: Madrid, language: es}}
                branches:
                  - {id: small, kind: scripted, script: {answers: [Paris]}}
                  - {id: large, kind: scripted, script: {answers: [Madrid]}}
                """), CampaignFile.PROVIDERS);

    private static final WorkerCapabilities OFFER = new WorkerCapabilities(CampaignFile.PROVIDERS, null, Set.of());

    private static CampaignSubmission read(JsonNode document) {
        return ScoringReader.read(document, SCORED.definition(), SCORED.suite(), OFFER);
    }

    @Test
    void shouldBeASchemaWhenReadByTheDraftItNames() {
        assertThat(PublishedSchema.SCORING.ownViolations()).isEmpty();
    }

    @Test
    void shouldDescribeTheReadersFields() {
        JsonNode schema = PublishedSchema.SCORING.tree();

        assertThat(schema.get("properties").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrderElementsOf(ScoringReader.FIELDS.names());
        assertThat(schema.at("/$defs/case/properties").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrderElementsOf(ScoringReader.CASE.names());
    }

    @Test
    void shouldAcceptTheExamples() throws IOException {
        Path directory = Path.of("..", "examples", "rescore");
        try (Stream<Path> examples = Files.list(directory)) {
            List<Path> files =
                    examples.filter(file -> file.toString().endsWith(".yaml")).toList();
            assertThat(files).hasSizeGreaterThanOrEqualTo(2);
            for (Path file : files) {
                assertThat(PublishedSchema.SCORING.violations(DocumentText.parse(Files.readString(file))))
                        .as(file.toString())
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                FULL,
                "keepChecks: true",
                "targetCheck: starts-with",
                "name: null\nkeepChecks: true\ntargetCheck: null\nbranches: []\ncases: []",
            })
    void shouldAcceptWhatTheReaderAccepts(String text) {
        JsonNode document = DocumentText.parse(text);

        read(document);
        assertThat(PublishedSchema.SCORING.violations(document)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "keepChecks: 1",
                "targetCheck: similar",
                "checks: [{type: guess}]",
                "cases: [{checks: []}]",
                "cases: [{id: france, prompt: Why?}]",
                "keepChecks: true\nbranches: [small, small]",
                "keepChecks: true\nname: ''",
                "keepChecks: true\ntrials: 2",
                "keepChecks: true\ndelivery: batch",
                "keepChecks: true\nstrategy: {type: guess}",
            })
    void shouldRefuseWhatTheReaderRefuses(String text) {
        JsonNode document = DocumentText.parse(text);

        assertThatThrownBy(() -> read(document)).isInstanceOf(AssayException.class);
        assertThat(PublishedSchema.SCORING.violations(document)).isNotEmpty();
    }

    @Test
    @Tag("slow")
    void shouldAcceptOrNameErrorsWhenADocumentIsMutated() {
        DocumentMutator mutator = new DocumentMutator(
                11,
                Stream.of(
                                ScoringReader.FIELDS.names(),
                                ScoringReader.CASE.names(),
                                List.of(
                                        "type",
                                        "value",
                                        "weight",
                                        "threshold",
                                        "provider",
                                        "model",
                                        "judge",
                                        "delivery"))
                        .flatMap(names -> names.stream())
                        .distinct()
                        .toList());
        int accepted = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            ObjectNode document = (ObjectNode) DocumentText.parse(FULL);
            mutator.mutate(document);
            accepted += accepts(document) ? 1 : 0;
        }

        assertThat(accepted).isBetween(DOCUMENTS / 50, DOCUMENTS / 2);
    }

    private static boolean accepts(JsonNode document) {
        String written = document.toString();
        try {
            CampaignSubmission submission = read(document);
            assertThat(submission.definition().branches()).as(written).allMatch(branch -> branch.isAnswered());
            assertThat(PublishedSchema.SCORING.violations(document)).as(written).isEmpty();
            return true;
        } catch (AssayException e) {
            DocumentMutator.assertNamesErrors(e, written);
            return false;
        } catch (RuntimeException e) {
            throw new AssertionError("Reading failed on " + written, e);
        }
    }
}
