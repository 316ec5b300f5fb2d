package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.LogCapture;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.error.ErrorCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySecrecyTest {

    private static String printed(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400, 401, 429, 500})
    void shouldNotShowKeyWhenProviderEchoesIt(int status) throws Exception {
        String padding = "x".repeat(265);
        for (String text : new String[] {"your key " + Requests.KEY + " is odd", padding + Requests.KEY}) {
            try (LogCapture logs = new LogCapture();
                    StubProvider stub = StubProvider.answering(status, "{\"error\":{\"message\":\"" + text + "\"}}");
                    ProviderCatalog catalog = Requests.catalog(stub.url())) {
                for (String provider : new String[] {"openai", "anthropic"}) {
                    ModelException failure = catchThrowableOfType(
                            ModelException.class, () -> Requests.to(provider).ask(catalog));

                    assertThat(printed(failure)).doesNotContain("sk-secret");
                    assertThat(failure.failure().message()).doesNotContain("sk-secret");
                }
                assertThat(catalog.toString() + catalog.infos()).doesNotContain("sk-secret");
                assertThat(logs.everything()).noneMatch(line -> line.contains("sk-secret"));
            }
        }
    }

    @Test
    void shouldRefuseKeyWithoutShowingItWhenItDoesNotFitAHeader() {
        Map<String, String> environment = Map.of("OPENAI_API_KEY", "sk-secret\nsecond line");
        try (ProviderCatalog catalog = ProviderCatalog.load(null, environment)) {
            ModelException failure =
                    catchThrowableOfType(ModelException.class, () -> catalog.client(Requests.choice("openai")));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_AUTH);
            assertThat(failure.failure().message()).contains("OPENAI_API_KEY");
            assertThat(printed(failure)).doesNotContain("sk-secret");
        }
    }

    @Test
    void shouldAskForTheModelsWithoutTheKeyWhenItDoesNotFitAHeader() throws Exception {
        try (LogCapture logs = new LogCapture();
                StubProvider stub = StubProvider.answering(200, "{\"data\":[]}");
                ProviderCatalog catalog = ProviderCatalog.load(
                        null, Map.of("OPENAI_API_KEY", "sk-secret\nsecond line", "OPENAI_BASE_URL", stub.url()))) {
            assertThat(catalog.shutdownNotices(List.of(Requests.choice("openai")), Duration.ofSeconds(20)))
                    .isEmpty();

            assertThat(stub.asked())
                    .singleElement()
                    .satisfies(
                            asked -> assertThat(asked.header("Authorization")).isEmpty());
            assertThat(logs.everything()).noneMatch(line -> line.contains("sk-secret"));
        }
    }

    @Test
    void shouldUseKeyWithoutItsLineBreakWhenOneEndsIt() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER);
                ProviderCatalog catalog = ProviderCatalog.load(
                        null, Map.of("OPENAI_API_KEY", Requests.KEY + "\n", "OPENAI_BASE_URL", stub.url()))) {
            Requests.to("openai").ask(catalog);

            assertThat(stub.asked().getFirst().header("Authorization")).isEqualTo("Bearer " + Requests.KEY);
        }
    }
}
