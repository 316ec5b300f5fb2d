package dev.assay.standalone.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitingTest {

    @Test
    void shouldReturnWhenNothingIsMissingAnyMore() {
        AtomicInteger looks = new AtomicInteger();
        Waiting.until(
                "The database",
                Duration.ofSeconds(30),
                () -> looks.incrementAndGet() < 4 ? Optional.of("starting") : Optional.empty());
        assertThat(looks).hasValue(4);
    }

    @Test
    void shouldSayWhatWasMissingWhenTheTimeIsOver() {
        assertThatThrownBy(() ->
                        Waiting.until("The database", Duration.ofMillis(200), () -> Optional.of("connection refused")))
                .isInstanceOfSatisfying(
                        AssayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
                .hasMessageContaining("The database")
                .hasMessageContaining("connection refused");
    }

    @Test
    void shouldNotTryAgainWhenWaitingIsOfNoUse() {
        AtomicInteger looks = new AtomicInteger();
        assertThatThrownBy(() -> Waiting.until("The database", Duration.ofSeconds(30), () -> {
                    looks.incrementAndGet();
                    throw new AssayException(ErrorCode.STORE_UNAVAILABLE, "refuses the login");
                }))
                .hasMessage("refuses the login");
        assertThat(looks).hasValue(1);
    }
}
