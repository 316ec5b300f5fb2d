package dev.assay.activities.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.Requests;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.message.Message;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplayClientTest {

    private static final ModelRequest REQUEST = Requests.request(500, Duration.ofSeconds(20));
    private static final String KEY =
            RequestKey.of(Requests.choice("openai"), REQUEST.systemPrompt(), REQUEST.messages());

    /** A cassette with one answer, of one trial. */
    private record OneEntry(CassetteEntry entry) implements CassetteSource {
        @Override
        public Optional<CassetteEntry> find(String cassetteId, String key, int trial) {
            return cassetteId.equals("c1") && key.equals(entry.key()) && trial == entry.trial()
                    ? Optional.of(entry)
                    : Optional.empty();
        }

        @Override
        public List<Integer> recordedTrials(String cassetteId, String key) {
            return cassetteId.equals("c1") && key.equals(entry.key()) ? List.of(entry.trial()) : List.of();
        }
    }

    private static ReplayClient recorded(String key, int trial) {
        return new ReplayClient(
                new OneEntry(new CassetteEntry(
                        key,
                        trial,
                        "openai",
                        "some-model",
                        "What is the capital of France?",
                        Message.assistant("Paris."),
                        new Usage(20, 9, 5, 8, 0, 29),
                        new BigDecimal("0.0001"),
                        1_500)),
                Requests.choice("openai"),
                "c1");
    }

    @Test
    void shouldGiveRecordedReplyUsageCostAndLatencyWhenAskedTheSame() {
        assertThat(recorded(KEY, 1).ask(REQUEST))
                .isEqualTo(new ModelReply(
                        Message.assistant("Paris."),
                        new Measured(
                                new Usage(20, 9, 5, 8, 0, 29), new BigDecimal("0.0001"), Duration.ofMillis(1_500))));
    }

    @Test
    void shouldSayWhichTrialsAreRecordedWhenThisOneIsNot() {
        ModelException failure = catchThrowableOfType(
                ModelException.class, () -> recorded(KEY, 2).ask(REQUEST));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.NO_RECORDED_ANSWER);
        assertThat(failure.failure().message())
                .isEqualTo("The cassette has no answer of openai/some-model to \"What is the capital of France?\""
                        + " for trial 1, only for trial 2; run fewer trials or record it again.");
    }

    @Test
    void shouldSayWhatWasAskedWhenItWasNeverRecorded() {
        ModelException failure = catchThrowableOfType(
                ModelException.class, () -> recorded("other", 1).ask(REQUEST));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.NO_RECORDED_ANSWER);
        assertThat(failure.failure().message()).contains("What is the capital of France?", "was changed");
    }
}
