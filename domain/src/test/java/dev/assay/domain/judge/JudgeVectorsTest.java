package dev.assay.domain.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.compaction.CompactionTiers;
import dev.assay.domain.compaction.JudgeCompaction;
import dev.assay.domain.compaction.TokenEstimate;
import dev.assay.domain.json.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class JudgeVectorsTest {

    @TestFactory
    Stream<DynamicTest> basics() {
        return Vectors.tests(
                "judge-basics.json",
                Map.of(
                        "estimateTokens",
                        (input, expected) ->
                                assertThat(TokenEstimate.of(text(input))).isEqualTo(expected.longValue()),
                        "tailLines",
                        (input, expected) -> assertThat(CompactionTiers.tailLines(
                                        text(input), input.get("maxLines").intValue()))
                                .isEqualTo(expected.textValue()),
                        "firstAndLastParagraph",
                        (input, expected) -> assertThat(CompactionTiers.firstAndLastParagraph(text(input)))
                                .isEqualTo(expected.textValue()),
                        "limit",
                        (input, expected) -> assertThat(CompactionTiers.limit(
                                        text(input), input.get("maxBytes").longValue()))
                                .isEqualTo(expected.textValue()),
                        "parseSelection",
                        (input, expected) -> assertThat(Json.mapper()
                                        .<JsonNode>valueToTree(JudgeReply.parseSelection(
                                                input.get("reply").textValue(),
                                                input.get("shown").intValue())))
                                .isEqualTo(expected)),
                "estimateTokens",
                "tailLines",
                "firstAndLastParagraph",
                "limit",
                "parseSelection",
                "loopSegment");
    }

    @TestFactory
    Stream<DynamicTest> previews() {
        return Vectors.tests(
                "judge-preview.json", Map.of("judgePreview", JudgeVectorsTest::assertPreview), "judgePreview");
    }

    private static void assertPreview(JsonNode input, JsonNode expected) {
        JudgePreviewRequest request = JudgePreviewReader.read(input);
        JudgeCompaction.Result compacted = JudgeCompaction.compact(
                request.conversation().priorContext(), request.responses(), request.maxContextTokens());
        JsonNode preview = Json.mapper().valueToTree(JudgePreview.of(request));

        assertThat(compacted.context()).isEqualTo(expected.get("context").textValue());
        assertThat(compacted.responses()).isEqualTo(texts(expected.get("responses")));
        assertThat(preview.get("prompt")).isEqualTo(expected.get("prompt"));
        assertThat(preview.get("systemPrompt").textValue()).isEqualTo(JudgePrompt.BUILT_IN_SYSTEM_PROMPT);
        ObjectNode rest = ((ObjectNode) expected.deepCopy()).without(List.of("context", "responses", "prompt"));
        rest.properties()
                .forEach(field -> assertThat(
                                preview.get("compaction").get(field.getKey()).asText())
                        .as(field.getKey())
                        .isEqualTo(field.getValue().asText()));
        assertThat(preview.get("warning").isNull())
                .isEqualTo(expected.get("satisfied").booleanValue());
    }

    private static List<String> texts(JsonNode texts) {
        return StreamSupport.stream(texts.spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }

    private static String text(JsonNode input) {
        return input.get("text").textValue();
    }
}
