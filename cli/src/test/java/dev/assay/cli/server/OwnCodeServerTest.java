package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.standalone.server.AssayServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Own code that is submitted to a server: it runs what its operator allows, and nothing else. */
@Tag("slow")
class OwnCodeServerTest {

    @TempDir
    Path temporary;

    private static String campaign(String python) {
        return """
            name: code
            cases:
              - id: a
                prompt: x
                checks:
                  - {type: icontains, value: x}
                  - type: python
                    value: "%s"
                  - {type: program, command: [sh, -c, "echo true"]}
            branches: [{id: b, kind: scripted, script: {answers: [x]}}]
            """.formatted(python);
    }

    @Test
    void shouldRefuseOwnCodeAndStartNothingWhenNothingIsAllowed() throws Exception {
        Path data = Files.createDirectories(temporary.resolve("data"));
        try (AssayServer server = InProcessServer.start(data);
                AssayApi client = new AssayApi(server.api())) {
            AssayException refused = catchThrowableOfType(
                    AssayException.class,
                    () -> client.submit(
                            CampaignDocument.parse(campaign("open('" + temporary.resolve("ran") + "', 'w')"))));

            assertThat(refused.code()).isEqualTo(ErrorCode.EVAL_CODE_UNAVAILABLE);
            assertThat(refused.errors())
                    .extracting(FieldError::path)
                    .containsExactly("cases[0].checks[1]", "cases[0].checks[2]");
            assertThat(client.campaigns()).isEmpty();
            assertThat(temporary.resolve("ran")).doesNotExist();
        }
    }

    @Test
    void shouldRefuseTransformsWhoseLanguageIsNotAllowed() throws Exception {
        Path data = Files.createDirectories(temporary.resolve("data"));
        Files.writeString(data.resolve("tools.yaml"), "code: {python: true}\n");
        try (AssayServer server = InProcessServer.start(data);
                AssayApi client = new AssayApi(server.api())) {
            AssayException refused =
                    catchThrowableOfType(AssayException.class, () -> client.submit(CampaignDocument.parse("""
                        name: transforms
                        transform: {javascript: output}
                        cases:
                          - {id: a, prompt: x, checks: [{type: icontains, value: x, transform: {javascript: output}}]}
                          - {id: b, prompt: x, transform: {javascript: output}}
                        branches:
                          - {id: b, kind: scripted, script: {answers: [x]}, transform: {javascript: output}}
                        """)));

            assertThat(refused.code()).isEqualTo(ErrorCode.EVAL_CODE_UNAVAILABLE);
            assertThat(refused.errors())
                    .extracting(FieldError::path)
                    .containsExactlyInAnyOrder(
                            "transform", "cases[0].checks[0].transform", "cases[1].transform", "branches[0].transform");
        }
    }

    @Test
    void shouldRunOwnCodeWhenTheOperatorAllowsIt() throws Exception {
        Path data = Files.createDirectories(temporary.resolve("data"));
        Files.writeString(data.resolve("tools.yaml"), "code: {python: true, programs: [sh]}\n");
        try (AssayServer server = InProcessServer.start(data);
                Api api = new Api(data)) {
            assertThat(server.api()).isNotNull();
            String id = api.submit(campaign("output == 'x'"));
            await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
            JsonNode outcome = api.get("/api/v1/campaigns/" + id + "/outcomes").at("/items/0");
            assertThat(outcome.path("checks").toString()).doesNotContain("UNSCORED");
            assertThat(outcome.path("output").isNull()).isTrue();
            assertThat(outcome.path("passed").booleanValue()).isTrue();
        }
    }
}
