package dev.assay.domain.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenDurationTest {

    @ParameterizedTest
    @CsvSource({
        "6h, PT6H",
        "PT6H, PT6H",
        "1d, PT24H",
        "1h30m, PT1H30M",
        "90s, PT90S",
        "2d3h4m5s, PT51H4M5S",
        "P7D, P7D",
        "PT0.5S, PT0.5S",
        "999999999d, P999999999D",
        "0s, PT0S"
    })
    void shouldReadADurationWhenItIsWrittenInEitherForm(String text, Duration duration) {
        assertThat(WrittenDuration.of(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "6",
                "h",
                "6 h",
                "6H",
                "-6h",
                "6h ",
                "30m1h",
                "1h1h",
                "6.5h",
                "1000000000d",
                "PT",
                "P1Y",
                "\u0000",
                "6h\u0000",
                "٦h",
                "999999999999999999999999999999999999999999s"
            })
    void shouldReadNothingWhenATextIsNoDuration(String text) {
        assertThat(WrittenDuration.of(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"PT1H30M, 1h30m", "PT24H, 1d", "P7D, 7d", "PT0S, 0s", "PT59S, 59s", "PT1.9S, 1s"})
    void shouldWriteWholeUnitsWhenADurationIsShown(Duration duration, String text) {
        assertThat(WrittenDuration.written(duration)).isEqualTo(text);
    }
}
