package dev.assay.store.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTokenTest {

    @Test
    void shouldGiveBackItsKeysWhenItIsReadAgain() {
        Instant time = Instant.parse("2026-01-02T03:04:05.678901Z");

        PageToken token = PageToken.parse(PageToken.of(time, "id").text(), 2);

        assertThat(token.instant(0)).isEqualTo(time);
        assertThat(token.keys()).isEqualTo(List.of(time.toString(), "id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+999999999-01-01T00:00:00Z",
                "-999999999-01-01T00:00:00Z",
                "+10000-01-01T00:00:00Z",
                "0000-12-31T23:59:59Z"
            })
    void shouldRefuseATokenWhenPostgresDoesNotKnowItsYear(String time) {
        assertRefused(() -> PageToken.parse(PageToken.of(time, "id").text(), 2).instant(0));
    }

    @Test
    void shouldRefuseATokenWhenItHoldsNul() {
        assertRefused(() ->
                PageToken.parse(PageToken.of("2026-01-02T03:04:05Z", "a\0b").text(), 2));
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable reading) {
        assertThatExceptionOfType(AssayException.class)
                .isThrownBy(reading)
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_INPUT));
    }
}
