package dev.assay.domain.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.provider.ProviderType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveredLineTest {

    private static DeliveredLine openAi(String rest) {
        return DeliveredLine.of(ProviderType.OPENAI, "{\"custom_id\":\"a\"," + rest + "}");
    }

    private static DeliveredLine anthropic(String error) {
        return DeliveredLine.of(
                ProviderType.ANTHROPIC,
                "{\"custom_id\":\"a\",\"result\":{\"type\":\"errored\",\"error\":{\"type\":\"error\",\"error\":" + error
                        + "}}}");
    }

    @ParameterizedTest
    @CsvSource({"401, true", "403, false"})
    void shouldTellARefusedKeyFromARefusedRightWhenAStatusIsNamed(int status, boolean isKey) {
        DeliveredLine line = openAi("\"response\":{\"status_code\":" + status + ",\"body\":{}},\"error\":null");

        assertThat(line.end()).isEqualTo(LineEnd.AUTH);
        assertThat(line.refusesKey()).isEqualTo(isKey);
    }

    @ParameterizedTest
    @CsvSource({"authentication_error, true", "billing_error, true", "permission_error, false"})
    void shouldTellARefusedKeyFromARefusedRightWhenAWordIsNamed(String type, boolean isKey) {
        DeliveredLine line = anthropic("{\"type\":\"" + type + "\",\"message\":\"m\"}");

        assertThat(line.end()).isEqualTo(LineEnd.AUTH);
        assertThat(line.refusesKey()).isEqualTo(isKey);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        429 | {"code": "insufficient_quota"}                      | RETRY   | true
        429 | {"code": "rate_limit_exceeded"}                     | RETRY   | false
        402 | {}                                                  | RETRY   | true
        400 | {"message": "Your credit balance is too low to go"} | REFUSED | true
        400 | {"message": "Unknown parameter"}                    | REFUSED | false
        500 | {"code": "insufficient_quota"}                      | RETRY   | false
        """)
    void shouldTellWhenTheAccountHasNoMoneyLeft(int status, String error, LineEnd end, boolean isKey) {
        DeliveredLine line = openAi("\"response\":{\"status_code\":" + status + ",\"body\":{\"error\":" + error + "}}");

        assertThat(line.end()).isEqualTo(end);
        assertThat(line.refusesKey()).isEqualTo(isKey);
        assertThat(line.failedStatus()).isEqualTo(status);
    }

    @Test
    void shouldKeepTheProvidersOwnWordsWhenItFailed() {
        DeliveredLine line = openAi("""
            "response":{"status_code":400,"body":{"error":{"type":"invalid_request_error","code":"unknown_parameter",
            "message":"Unknown parameter:\\u0000\\u001b[31m foo.\\n%s"}}},"error":null\
            """.formatted("x".repeat(1_000)));

        assertThat(line.status()).isEqualTo(400);
        assertThat(line.code()).isEqualTo("unknown_parameter");
        assertThat(line.words()).startsWith("Unknown parameter: [31m foo. xxx").hasSize(300);
        assertThat(line.body().at("/error/type").textValue()).isEqualTo("invalid_request_error");
    }

    @Test
    void shouldKeepTheWholeAnswerWhenTheModelAnswered() {
        assertThat(openAi("\"response\":{\"status_code\":200,\"body\":{\"id\":\"chatcmpl-1\"}},\"error\":null")
                        .body()
                        .toString())
                .isEqualTo("{\"id\":\"chatcmpl-1\"}");
        assertThat(DeliveredLine.of(
                                ProviderType.ANTHROPIC,
                                "{\"custom_id\":\"a\",\"result\":{\"type\":\"succeeded\",\"message\":{\"id\":\"msg_1\"}}}")
                        .body()
                        .toString())
                .isEqualTo("{\"id\":\"msg_1\"}");
    }

    @Test
    void shouldReadNothingWhenALineHoldsTwoDocuments() {
        String answered = "{\"custom_id\":\"a\",\"response\":{\"status_code\":200,\"body\":{}},\"error\":null}";

        assertThat(DeliveredLine.of(ProviderType.OPENAI, answered).end()).isEqualTo(LineEnd.ANSWERED);
        assertThat(DeliveredLine.of(ProviderType.OPENAI, answered + answered)).isEqualTo(DeliveredLine.UNREADABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"error\":{\"code\":[\"batch_expired\"]}",
                "\"error\":{\"code\":null,\"message\":{}}",
                "\"response\":{\"status_code\":99999999999},\"error\":null",
                "\"response\":{\"status_code\":-1},\"error\":null",
                "\"response\":{\"status_code\":200.0},\"error\":{}"
            })
    void shouldTryAgainWhenAnErrorIsOfNoKnownForm(String rest) {
        assertThat(openAi(rest).end()).isEqualTo(LineEnd.RETRY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"type\":[\"invalid_request_error\"]}", "null", "7", "{}"})
    void shouldTryAgainWhenAnErrorOfAnthropicIsOfNoKnownForm(String error) {
        assertThat(anthropic(error).end()).isEqualTo(LineEnd.RETRY);
    }

    @Test
    void shouldReadNothingWhenALineIsNestedTooDeep() {
        String deep = "[".repeat(100_000);

        assertThat(openAi("\"response\":" + deep)).isEqualTo(DeliveredLine.UNREADABLE);
    }

    @Test
    void shouldGoOnWithTheNextLineWhenOneIsTooLong() {
        List<DeliveredLine> lines = new ArrayList<>();
        DeliveredFile file = new DeliveredFile(ProviderType.OPENAI, 100, lines::add);
        String next = "{\"custom_id\":\"b\",\"error\":{\"code\":\"batch_expired\"}}";

        file.take(ByteBuffer.wrap("{\"custom_id\":\"a\",\"error\":{}".getBytes(StandardCharsets.UTF_8)));
        for (int i = 0; i < 100; i++) {
            file.take(ByteBuffer.wrap(" ".getBytes(StandardCharsets.UTF_8)));
        }
        file.take(ByteBuffer.wrap(("}\n \n" + next + "\n").getBytes(StandardCharsets.UTF_8)));
        file.end(false);

        assertThat(lines).containsExactly(DeliveredLine.UNREADABLE, DeliveredLine.of(ProviderType.OPENAI, next));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeALastLineWithoutALineFeedOnlyWhenTheFileIsComplete(boolean isComplete) {
        List<DeliveredLine> lines = new ArrayList<>();
        DeliveredFile file = new DeliveredFile(ProviderType.OPENAI, 100, lines::add);
        String last = "{\"custom_id\":\"b\",\"error\":{\"code\":\"batch_expired\"}}";

        file.take(ByteBuffer.wrap(last.getBytes(StandardCharsets.UTF_8)));
        file.end(isComplete);

        assertThat(lines).hasSize(isComplete ? 1 : 0);
    }

    @Test
    void shouldTakeTheFirstLineThatCanBeReadWhenAnItemHasSeveral() {
        DeliveredResults<String> results = new DeliveredResults<>(id -> id.equals("a") ? id : null);

        assertThat(results.take(openAi("\"error\":null"))).isEqualTo(DeliveredResults.Part.NONE);
        assertThat(results.take(openAi("\"error\":{\"code\":\"batch_expired\"}")))
                .isEqualTo(DeliveredResults.Part.OWN);
        assertThat(results.take(openAi("\"error\":{}"))).isEqualTo(DeliveredResults.Part.DUPLICATE);
        assertThat(results.duplicates()).isEqualTo(1);
        assertThat(results.isForeign()).isFalse();
    }
}
