package dev.assay.domain.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.CampaignHealth.Status;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EtaReasonTest {

    @ParameterizedTest
    @CsvSource({
        "PENDING, 10, 0, OK, NOT_STARTED",
        "PAUSED, 10, 0, WAITING, PAUSED",
        "COMPLETED, 0, 0, OK, ENDED",
        "COMPLETED, 10, 0, OK, ENDED",
        "CANCELLED, 10, 0, OK, ENDED",
        "FAILED, 10, 0, STALLED, ENDED",
        "RUNNING, 0, 0, OK, NOTHING_OPEN",
        "RUNNING, 10, 0, STALLED, STALLED",
        "RUNNING, 10, 10, WAITING, PROVIDER_AWAY",
        "RUNNING, 10, 9, WAITING,",
        "RUNNING, 10, 0, WAITING,",
        "RUNNING, 1, 0, OK,",
    })
    void shouldSayWhyNoEndIsKnown(
            CampaignState state, long open, long away, Status health, @Nullable EtaReason reason) {
        assertThat(EtaReason.of(state, open, away, health)).isEqualTo(reason);
    }

    @Test
    void shouldReadAsWords() {
        assertThat(EtaReason.TOO_FEW_DONE.words()).isEqualTo("too few done");
    }
}
