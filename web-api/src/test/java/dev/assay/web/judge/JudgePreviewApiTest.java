package dev.assay.web.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.web.ServerFixture;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class JudgePreviewApiTest {

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> preview(String body) {
        return server.send(server.request("/api/v1/judge/preview")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    @Test
    void shouldShowPromptExactlyWhenAsked() {
        JsonNode preview = Json.tree(preview("""
            {"priorContext": null, "context": [{"role": "user", "content": "Hello"}], "query": "2+2?",
             "responses": ["4", "5"], "maxContextTokens": null}\
            """).body());

        assertThat(preview.get("prompt").asText())
                .isEqualTo("Prior conversation context:\n"
                        + "User: Hello\n\n"
                        + "Original query:\n"
                        + "2+2?\n\n"
                        + "Response 1:\n"
                        + "4\n\n"
                        + "Response 2:\n"
                        + "5\n\n"
                        + "Which response is best? Reply with ONLY the response number (e.g., \"1\" or"
                        + " \"2\").");
        assertThat(preview.get("compaction").get("satisfied").asBoolean()).isTrue();
        assertThat(preview.get("warning").isNull()).isTrue();
    }

    @Test
    void shouldNameEveryFieldAtFaultWhenInputIsBad() {
        HttpResponse<String> answer = preview("{\"responses\": [], \"maxContextTokens\": -1, \"querry\": \"x\"}");

        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(Json.tree(answer.body()).get("errors")).hasSizeGreaterThanOrEqualTo(3);
    }
}
