package dev.assay.domain.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GateDecisionLostTest {

    private static final LostParts LOST = new LostParts(2, List.of("webhook", "ruby"), 1, 0, 3, 0);

    @ParameterizedTest
    @EnumSource(Verdict.class)
    void shouldNeverPassWhereSomethingWasLostAndFailWhereAnotherCheckFailed(Verdict verdict) {
        GateDecision before =
                new GateDecision(verdict, verdict == Verdict.INCONCLUSIVE ? List.of(GateReason.UNSURE) : List.of());

        GateDecision decision = before.meeting(GateDemands.NONE.with(LOST), 1.0, 0.0);

        assertThat(decision.verdict()).isEqualTo(verdict == Verdict.FAIL ? Verdict.FAIL : Verdict.INCONCLUSIVE);
        assertThat(decision.reasons().contains(GateReason.LOST)).isEqualTo(verdict != Verdict.FAIL);
        assertThat(before.meeting(GateDemands.NONE, 1.0, 0.0)).isEqualTo(before);
    }

    @Test
    void shouldSayWhatWasLost() {
        assertThat(LOST.text(3))
                .isEqualTo("2 of 3 cases lost a check: webhook, ruby; the import left out 1 provider, 3 tests");
        assertThat(new LostParts(0, List.of(), 0, 0, 0, 1).text(1)).isEqualTo("the import left out 1 setting");
        assertThat(LostParts.NONE.orNull()).isNull();
    }
}
