package dev.assay.domain.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Measured;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    private static final Failure REFUSED =
            new Failure(ErrorCode.INTERNAL, "The answer cannot be stored: it is too long");
    private static final Failure AWAY = new Failure(ErrorCode.PROVIDER_UNAVAILABLE, "The provider is away");

    @Test
    void anAnswerThatCannotBeStoredIsAnErrorWithoutContent() {
        Outcome stored = outcome(OutcomeStatus.COMPLETED, null).withoutContent(REFUSED);

        assertThat(stored.end()).isEqualTo(new Outcome.End(OutcomeStatus.MODEL_ERROR, REFUSED, 2));
        assertThat(stored.response()).isEmpty();
        assertThat(stored.newMessages()).isEmpty();
    }

    @Test
    void anErrorWhoseContentCannotBeStoredStaysTheErrorThatItWas() {
        assertThat(outcome(OutcomeStatus.MODEL_ERROR, AWAY)
                        .withoutContent(REFUSED)
                        .end())
                .isEqualTo(new Outcome.End(OutcomeStatus.MODEL_ERROR, AWAY, 2));
        assertThat(outcome(OutcomeStatus.TIMED_OUT, AWAY)
                        .withoutContent(REFUSED)
                        .status())
                .isEqualTo(OutcomeStatus.TIMED_OUT);
    }

    @Test
    void anAnswerWithoutItsTranscriptKeepsItsText() {
        Outcome stored = outcome(OutcomeStatus.COMPLETED, null).withoutTranscript();

        assertThat(stored.response()).isEqualTo("42");
        assertThat(stored.newMessages()).isEmpty();
        assertThat(stored.status()).isEqualTo(OutcomeStatus.COMPLETED);
    }

    private static Outcome outcome(OutcomeStatus status, @Nullable Failure failure) {
        return new Outcome(
                0,
                0,
                "c/t1/b",
                new Outcome.End(status, failure, 2),
                new Outcome.Answer(List.of(Message.assistant("42")), 0, "42"),
                Measured.NONE,
                List.of());
    }
}
