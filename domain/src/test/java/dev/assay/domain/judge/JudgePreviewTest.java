package dev.assay.domain.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JudgePreviewTest {

    private static final String LAST_LINE =
            "Which response is best? Reply with ONLY the response number (e.g., \"1\" or \"2\").";

    @Test
    void shouldWriteTheNamesThatClientsReadWhenTurnedIntoJson() {
        JudgePreview preview = preview("{\"query\": \"Q\", \"responses\": [\"A\", \"\"]}");

        assertThat(Json.write(preview))
                .isEqualTo("{\"systemPrompt\":" + Json.write(JudgePrompt.BUILT_IN_SYSTEM_PROMPT) + ",\"prompt\":"
                        + Json.write("Original query:\nQ\n\nResponse 1:\nA\n\nResponse 2:\n\n\n" + LAST_LINE)
                        + ",\"compaction\":{\"budget\":null,\"iteration\":0,\"contextTier\":0,\"responseTier\":0,"
                        + "\"tokensBefore\":1,\"tokensAfter\":1,\"satisfied\":true},\"warning\":null}");
        assertThat(Json.read(Json.write(preview), JudgePreview.class)).isEqualTo(preview);
    }

    @Test
    void shouldFormatMessagesWhenContextIsGiven() {
        JudgePreview preview = preview("""
            {"priorContext": null, "query": "Q", "responses": ["A"], "maxContextTokens": null,
             "context": [{"role": "user", "content": "Hi"},
                         {"role": "assistant", "content": [{"type": "thinking", "text": "x"}, {"type": "text", "text": "Yo"}]},
                         {"role": "tool", "content": "3", "toolResult": {"callId": "1", "name": "sum", "isError": false}}]}
            """);

        assertThat(preview.prompt())
                .isEqualTo("Prior conversation context:\nUser: Hi\nAssistant: Yo\nTool [sum]: 3\n\n"
                        + "Original query:\nQ\n\nResponse 1:\nA\n\n" + LAST_LINE);
    }

    @Test
    void shouldShowTheFormInWhichTheJudgeOfACampaignIsAsked() {
        JudgePreview preview = preview("""
            {"query": "Q", "responses": ["A"], "systemPrompt": "Be strict.", "reply": "structured", "fence": true}
            """);

        assertThat(preview)
                .isEqualTo(JudgePreview.of(
                        new Conversation("", "Q"),
                        List.of("A"),
                        null,
                        "Be strict.",
                        new JudgeFormat(JudgeFormat.Reply.STRUCTURED, true)));
        assertThat(preview.prompt()).contains("<response number=\"1\">", "\"choice\"");
    }

    @Test
    void shouldLeaveTheContextOutWhenItIsBlank() {
        assertThat(preview("{\"priorContext\": \"\\u00a0\\n\", \"query\": \"Q\", \"responses\": [\"A\"]}")
                        .prompt())
                .startsWith("Original query:\nQ\n\n");
    }

    @Test
    void shouldKeepThePriorContextAsItIsWhenItHasWhiteSpaceAround() {
        assertThat(preview("{\"priorContext\": \" x\\n\", \"query\": \"Q\", \"responses\": [\"A\"]}")
                        .prompt())
                .startsWith("Prior conversation context:\n x\n\n\nOriginal query:\n");
    }

    @Test
    void shouldWarnWithBranchesTokensAndBudgetWhenNothingFits() {
        JudgePreview preview = JudgePreview.of(
                new Conversation("", "Q"),
                List.of("a".repeat(500), "b".repeat(500), "c"),
                10,
                "Judge well.",
                JudgeFormat.PLAIN);

        assertThat(preview.systemPrompt()).isEqualTo("Judge well.");
        assertThat(preview.compaction()).isEqualTo(new Compaction(8L, 2, 3, 3, 251, 101, false));
        assertThat(preview.warning())
                .contains("3 branches")
                .contains("101 tokens")
                .contains("budget of 8,");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        []                                                                  |
        {"responses": ["A"]}                                                | query
        {"query": null, "responses": ["A"]}                                 | query
        {"query": 3, "responses": ["A"]}                                    | query
        {"query": "Q"}                                                      | responses
        {"query": "Q", "responses": []}                                     | responses
        {"query": "Q", "responses": "A"}                                    | responses
        {"query": "Q", "responses": ["A", null]}                            | responses[1]
        {"query": "Q", "responses": ["A"], "maxContextTokens": -1}          | maxContextTokens
        {"query": "Q", "responses": ["A"], "maxContextTokens": 2147483648}  | maxContextTokens
        {"query": "Q", "responses": ["A"], "maxContextTokens": 1.5}         | maxContextTokens
        {"query": "Q", "responses": ["A"], "maxContextTokens": "9"}         | maxContextTokens
        {"query": "Q", "responses": ["A"], "priorContext": 1}               | priorContext
        {"query": "Q", "responses": ["A"], "context": "Hi"}                 | context
        {"query": "Q", "responses": ["A"], "context": [null]}               | context[0]
        {"query": "Q", "responses": ["A"], "context": [{}]}                 | context[0].role context[0].content
        {"query": "Q", "responses": ["A"], "context": [{"content": "x"}]}   | context[0].role
        {"query": "Q", "responses": ["A"], "context": [{"role": "user", "content": [{"type": "text"}]}]} | context[0].content[0].text
        {"query": "Q", "responses": ["A"], "context": [{"role": "king", "content": "x"}]} | context[0].role
        {"query": "Q", "responses": ["A"], "context": [{"role": "tool", "content": "x"}]} | context[0].toolResult
        {"query": "Q", "responses": ["A"], "priorContext": "x", "context": [{"role": "user", "content": "x"}]} | context
        {"query": "Q", "responses": ["A"], "maxContextToken": 9}            | maxContextToken
        {"query": "Q", "responses": ["A"], "systemPrompt": 1}               | systemPrompt
        {"query": "Q", "responses": ["A"], "reply": "prose"}                | reply
        {"query": "Q", "responses": ["A"], "systemPrompt": " "}             | systemPrompt
        {"query": "Q", "responses": ["A"], "fence": "yes"}                  | fence
        """)
    void shouldNameTheFieldsWhenTheRequestIsWrong(String request, String paths) {
        assertThatThrownBy(() -> preview(request))
                .asInstanceOf(type(AssayException.class))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT);
                    assertThat(e.errors())
                            .extracting(FieldError::path)
                            .containsExactlyInAnyOrder(paths == null ? new String[] {""} : paths.split(" "));
                });
    }

    @Test
    void shouldFindAllErrorsAtOnceWhenThereAreSeveral() {
        assertThatThrownBy(() -> preview("{\"maxContextTokens\": -1, \"responses\": [1, 2], \"x\": 0}"))
                .asInstanceOf(type(AssayException.class))
                .satisfies(e -> assertThat(e.errors())
                        .extracting(FieldError::path)
                        .containsExactlyInAnyOrder("x", "query", "responses[0]", "responses[1]", "maxContextTokens"));
    }

    @Test
    void shouldRefuseToBeMadeWhenThereIsNothingToCompare() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new JudgePreviewRequest(new Conversation("", "Q"), List.of(), null, null, JudgeFormat.PLAIN));
    }

    private static JudgePreview preview(String json) {
        return JudgePreview.of(JudgePreviewReader.read(Json.tree(json)));
    }
}
