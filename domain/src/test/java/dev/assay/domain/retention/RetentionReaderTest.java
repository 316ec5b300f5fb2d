package dev.assay.domain.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RetentionReaderTest {

    private static RetentionRules read(String yaml) {
        return RetentionReader.read(DocumentText.parseOptional(yaml));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# none yet\n", "retention: {}", "retention: {campaigns: {}}"})
    void shouldDeleteNothingWhenNothingIsSaid(String yaml) {
        assertThat(read(yaml)).isEqualTo(RetentionRules.NONE);
    }

    @Test
    void shouldReadAges() {
        assertThat(read("""
            retention:
              campaigns: {completed: P90D, failed: PT36H}
              ledger: P400D
              rowsPerSecond: 500
            """))
                .isEqualTo(new RetentionRules(
                        Map.of(
                                CampaignState.COMPLETED,
                                Duration.ofDays(90),
                                CampaignState.FAILED,
                                Duration.ofHours(36)),
                        Duration.ofDays(400),
                        500));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retention: {campaigns: {completed: 90}}|retention.campaigns.completed",
                "retention: {campaigns: {completed: 90d}}|retention.campaigns.completed",
                "retention: {campaigns: {completed: P-1D}}|retention.campaigns.completed",
                "retention: {campaigns: {cancelled: PT59M}}|retention.campaigns.cancelled",
                "retention: {campaigns: {cancelled: P99999999D}}|retention.campaigns.cancelled",
                "retention: {campaigns: {failed: P999999999999999999D}}|retention.campaigns.failed",
                "retention: {campaigns: {failed: \"P1\\0D\"}}|retention.campaigns.failed",
                "retention: {campaigns: {running: P1D}}|retention.campaigns.running",
                "retention: {campaigns: P1D}|retention.campaigns",
                "retention: {ledger: never}|retention.ledger",
                "retention: {rowsPerSecond: 0}|retention.rowsPerSecond",
                "retention: {rowsPerSecond: 1.5}|retention.rowsPerSecond",
                "retention: [1]|retention",
                "retain: {}|retain",
            })
    void shouldNameTheFieldThatIsWrong(String yaml, String path) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors()).extracting(FieldError::path).containsExactly(path));
    }

    @Test
    void shouldNameAllThatIsWrongAtOnce() {
        assertThatThrownBy(() -> read("retention: {campaigns: {completed: soon, failed: later}, ledger: 1}"))
                .isInstanceOfSatisfying(
                        AssayException.class, e -> assertThat(e.errors()).hasSize(3));
    }

    @Test
    void shouldRefuseToDeleteWhatHasNotEnded() {
        assertThatThrownBy(() ->
                        new RetentionRules(Map.of(CampaignState.PAUSED, Duration.ofDays(1)), Duration.ZERO, 1_000))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
