package dev.assay.activities.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.permit.LeasedPermits;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.message.Message;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.selection.Decision;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WorkerMetricsTest {

    private static final ModelRequest REQUEST =
            new ModelRequest(null, List.of(Message.user("?")), 1, 1, 10, Duration.ofSeconds(1));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LeasedPermits permits = new LeasedPermits();
    private final WorkerMetrics metrics =
            new WorkerMetrics(registry, ProviderCatalog.load(null, Map.of("OPENAI_API_KEY", "k")), permits);

    private double calls(String provider, String result) {
        return registry.get("assay.calls")
                .tags("provider", provider, "result", result)
                .timer()
                .count();
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private ModelClient client(ModelClient client) {
        return new MeteredClient(client, "openai", metrics);
    }

    @Test
    void shouldCountAnAnswerWithItsTokensAndItsCost() throws Exception {
        Measured measured = new Measured(Usage.of(7, 3), new BigDecimal("0.25"), Duration.ZERO);
        ModelReply reply = new ModelReply(Message.assistant("!"), measured);

        assertThat(client(request -> reply).ask(REQUEST)).isSameAs(reply);

        assertThat(calls("openai", "ANSWERED")).isEqualTo(1);
        assertThat(count("assay.tokens", "provider", "openai", "kind", "input")).isEqualTo(7);
        assertThat(count("assay.tokens", "provider", "openai", "kind", "output"))
                .isEqualTo(3);
        assertThat(count("assay.cost", "provider", "openai")).isEqualTo(0.25);
        assertThat(count("assay.unpriced.calls", "provider", "openai")).isZero();
        assertThat(count("assay.unknown.usage.calls", "provider", "openai")).isZero();
    }

    @Test
    void shouldCountAnAnswerThatReportsHalfOfItsUsage() throws Exception {
        Usage half = new Usage(7L, null, null, null, null, null);

        client(request -> new ModelReply(Message.assistant("!"), new Measured(half, null, Duration.ZERO)))
                .ask(REQUEST);

        assertThat(count("assay.tokens", "provider", "openai", "kind", "input")).isEqualTo(7);
        assertThat(count("assay.tokens", "provider", "openai", "kind", "output"))
                .isZero();
        assertThat(count("assay.unknown.usage.calls", "provider", "openai")).isEqualTo(1);
    }

    @Test
    void shouldCountWhatBecameOfEachRequestThatWasNotAnswered() {
        ModelException refused = new ModelException(ErrorCode.PROVIDER_AUTH, "No", null, null);
        assertThatThrownBy(() -> client(request -> {
                            throw refused;
                        })
                        .ask(REQUEST))
                .isSameAs(refused);
        assertThatThrownBy(() -> client(request -> {
                            throw new InterruptedException();
                        })
                        .ask(REQUEST))
                .isInstanceOf(InterruptedException.class);
        assertThatThrownBy(() -> client(request -> {
                            throw new StackOverflowError();
                        })
                        .ask(REQUEST))
                .isInstanceOf(StackOverflowError.class);

        assertThat(calls("openai", "PROVIDER_AUTH")).isEqualTo(1);
        assertThat(calls("openai", "CANCELLED")).isEqualTo(1);
        assertThat(calls("openai", "INTERNAL")).isEqualTo(1);
        assertThat(calls("openai", "ANSWERED")).isZero();
    }

    @Test
    void shouldGiveNoSeriesToProvidersThatTheSettingsDoNotName() {
        List<Meter.Id> before = registry.getMeters().stream().map(Meter::getId).toList();
        for (int i = 0; i < 100; i++) {
            metrics.retried("made-up-" + i, ErrorCode.PROVIDER_REJECTED);
        }

        assertThat(count("assay.retries", "provider", "other", "error", "PROVIDER_REJECTED"))
                .isEqualTo(100);
        assertThat(registry.getMeters()).hasSize(before.size() + 1);
    }

    @Test
    void shouldShowPermitsAndWhoWaitsForThem() throws Exception {
        permits.allow(PermitPool.provider("openai"), 3);
        Thread cell = Thread.ofVirtual().start(() -> {
            try {
                permits.enter("campaign-without-permits", "openai", false, 0).close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        await().until(() -> permitsOf("assay.permits.awaited") == 1);
        assertThat(permitsOf("assay.permits.held")).isEqualTo(3);
        cell.interrupt();
        await().until(() -> permitsOf("assay.permits.awaited") == 0);
    }

    private double permitsOf(String name) {
        return registry.get(name).tag("provider", "openai").gauge().value();
    }

    @Test
    void shouldCountSelectionsOfJudgesAndTheirFallbacksOnly() {
        metrics.selected(new Selection("pick-first", new Decision.FellBack(0), "Nothing to go by.", List.of()));

        assertThat(count("assay.judge.selections")).isZero();
        assertThat(count("assay.judge.fallbacks")).isZero();
    }
}
