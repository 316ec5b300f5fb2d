package dev.assay.activities.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Asks a server that the project did not write. Set OPENAI_BASE_URL and ASSAY_LIVE_MODEL to run it. */
class LiveOpenAiCompatibleTest {

    private static final String URL = System.getenv().getOrDefault("OPENAI_BASE_URL", "");
    private static final String MODEL = System.getenv().getOrDefault("ASSAY_LIVE_MODEL", "");

    private static boolean reachable(URI url) {
        int port = url.getPort() > 0 ? url.getPort() : url.getScheme().equals("https") ? 443 : 80;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(url.getHost(), port), 3_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static ProviderCatalog liveCatalog() {
        assumeTrue(
                !URL.isBlank() && !MODEL.isBlank(),
                "Skipped: set OPENAI_BASE_URL and ASSAY_LIVE_MODEL (and OPENAI_API_KEY, if the server wants one) to"
                        + " run it");
        assumeTrue(reachable(URI.create(URL)), "Skipped: nothing listens at " + URL);
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putIfAbsent("OPENAI_API_KEY", "none");
        return ProviderCatalog.load(null, environment);
    }

    private static ModelClient client(ProviderCatalog catalog) {
        return catalog.client(
                new ModelChoice("openai", MODEL, Thinking.OFF, Requests.parameters("{\"temperature\":0}")));
    }

    private static ModelRequest request() {
        return new ModelRequest(
                "Answer in one short sentence.",
                List.of(Message.user("What is the capital of France?")),
                1,
                1,
                64,
                Duration.ofSeconds(60));
    }

    @Test
    void shouldTellTheSameAnswerInPiecesWhenServerIsReal() throws Exception {
        StringBuilder heard = new StringBuilder();
        List<Long> at = new ArrayList<>();
        AnswerListener listener = new AnswerListener() {
            @Override
            public void piece(Part part, int index, @Nullable String toolName, String text) {
                heard.append(text);
                at.add(System.nanoTime());
            }

            @Override
            public void pause() {}
        };
        try (ProviderCatalog catalog = liveCatalog()) {
            ModelReply reply = client(catalog).ask(request(), listener);

            assertThat(heard).hasToString(reply.message().text());
            assertThat(at).hasSizeGreaterThan(1);
            System.out.printf(
                    "%s streamed %d pieces in %d ms: %s%n",
                    MODEL, at.size(), (at.getLast() - at.getFirst()) / 1_000_000, reply);
        }
    }

    @Test
    void shouldAnswerWithUsageWhenServerIsReal() throws Exception {
        try (ProviderCatalog catalog = liveCatalog()) {
            ModelReply reply = client(catalog).ask(request());

            assertThat(reply.message().text()).isNotBlank();
            // Some mock servers report no usage at all; one that does must count the prompt and keep the bound.
            if (!reply.measured().usage().equals(Usage.UNKNOWN)) {
                assertThat(reply.measured().usage().input()).isPositive();
                assertThat(reply.measured().usage().output()).isBetween(1L, 64L);
                assertThat(reply.measured().usage().total())
                        .isGreaterThanOrEqualTo(reply.measured().usage().output());
            }
            System.out.printf(
                    "%s answered in %d ms: %s%n",
                    MODEL, reply.measured().latency().toMillis(), reply);
        }
    }
}
