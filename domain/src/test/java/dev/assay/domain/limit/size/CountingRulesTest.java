package dev.assay.domain.limit.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.Units;
import dev.assay.domain.usage.Usage;
import org.junit.jupiter.api.Test;

class CountingRulesTest {

    private static final CountingRules ASKED = new CountingRules(OutputCounting.ASKED, true);
    private static final Units CHARGED = Units.ofRequest(100, 4_096);

    @Test
    void shouldReturnNoOutputWhenItCountsAsItIsAskedFor() {
        assertThat(ASKED.adjustment(CHARGED, Usage.of(90, 10))).isEqualTo(new Adjustment(-10, 0, -10));
    }

    @Test
    void shouldOweOutputWhenMoreWasWrittenThanAskedFor() {
        Adjustment more = ASKED.adjustment(CHARGED, Usage.of(100, 5_000));

        assertThat(more).isEqualTo(new Adjustment(0, 904, 904));
        assertThat(more.of(LimitKind.TOKENS_PER_DAY)).isEqualTo(904);
        assertThat(more.of(LimitKind.REQUESTS_PER_MINUTE)).isZero();
    }

    @Test
    void shouldChangeNothingWhenUsageIsNotKnownCompletely() {
        Usage half = new Usage(5L, null, null, null, null, 900L);

        assertThat(ASKED.adjustment(CHARGED, half)).isEqualTo(Adjustment.NONE);
        assertThat(ASKED.adjustment(CHARGED, Usage.UNKNOWN)).isEqualTo(Adjustment.NONE);
    }

    @Test
    void shouldNotOverflowWhenUsageIsAbsurd() {
        Usage absurd = new Usage(Long.MAX_VALUE, Long.MAX_VALUE, 0L, 0L, Long.MAX_VALUE, Long.MAX_VALUE);

        assertThat(ASKED.adjustment(CHARGED, absurd).tokens()).isBetween(Units.MOST, 3 * Units.MOST);
    }
}
