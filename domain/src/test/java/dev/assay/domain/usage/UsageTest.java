package dev.assay.domain.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageTest {

    private static final Usage ONLY_INPUT = new Usage(10L, null, null, null, null, null);
    private static final Usage ONLY_OUTPUT = new Usage(null, 5L, null, null, null, null);
    private static final Usage ONLY_TOTAL = new Usage(null, null, null, null, null, 30L);

    private static UsageTotal total(Usage... answers) {
        return UsageTotal.of(Stream.of(answers));
    }

    @ParameterizedTest
    @CsvSource({
        ",      1, 2, 3",
        "9,     1, 2, 9",
        ",       , 2,  ",
        ",      1,  ,  ",
        "9,      ,  , 9",
        ",       ,  ,  "
    })
    void shouldTakeTheTotalThatIsReportedElseTheSumOfInputAndOutput(
            @Nullable Long reported, @Nullable Long input, @Nullable Long output, @Nullable Long total) {
        assertThat(Usage.total(reported, input, output)).isEqualTo(total);
    }

    @Test
    void shouldNotKnowTheSumOfALoopWhenATurnDidNotReportIt() {
        assertThat(Usage.of(3, 4).plus(Usage.of(1, 1))).isEqualTo(Usage.of(4, 5));
        assertThat(Usage.of(3, 4).plus(Usage.UNKNOWN)).isEqualTo(Usage.UNKNOWN);
        assertThat(Usage.of(3, 4).plus(ONLY_INPUT)).isEqualTo(new Usage(13L, null, null, null, null, null));
        assertThat(Usage.NONE.plus(Usage.of(3, 4))).isEqualTo(Usage.of(3, 4));
    }

    @Test
    void shouldAddUpWhatIsKnownOfManyAnswersAndCountTheOthers() {
        assertThat(total(Usage.of(3, 4), Usage.UNKNOWN, Usage.of(1, 1))).isEqualTo(new UsageTotal(Usage.of(4, 5), 1));
        assertThat(total(ONLY_INPUT, Usage.of(3, 4), ONLY_OUTPUT))
                .isEqualTo(new UsageTotal(new Usage(13, 9, 0, 0, 0, 7), 2));
        assertThat(total(ONLY_TOTAL, ONLY_TOTAL))
                .isEqualTo(new UsageTotal(new Usage(null, null, null, null, null, 60L), 2));
    }

    @Test
    void shouldHaveNoTotalInsteadOfZeroWhenNothingIsKnown() {
        assertThat(total(Usage.UNKNOWN, Usage.NONE, Usage.UNKNOWN)).isEqualTo(new UsageTotal(Usage.UNKNOWN, 2));
        assertThat(total(Usage.NONE, Usage.UNKNOWN)).isEqualTo(new UsageTotal(Usage.UNKNOWN, 1));
        assertThat(UsageTotal.summed(Usage.UNKNOWN, 2)).isEqualTo(new UsageTotal(Usage.UNKNOWN, 2));
    }

    @Test
    void shouldHaveATotalOfZeroWhenNothingWasAnswered() {
        assertThat(total()).isEqualTo(UsageTotal.NONE);
        assertThat(total(Usage.NONE, Usage.NONE)).isEqualTo(UsageTotal.NONE);
        assertThat(UsageTotal.summed(Usage.UNKNOWN, 0)).isEqualTo(UsageTotal.NONE);
        assertThat(UsageTotal.NONE.usage().total()).isZero();
    }

    @Test
    void shouldTakeZeroForUnknownWhenItIsTheUsageOfAnAnswer() {
        assertThat(Usage.NONE.ofAnswer()).isEqualTo(Usage.UNKNOWN);
        assertThat(Usage.of(0, 5).ofAnswer()).isEqualTo(Usage.of(0, 5));
        assertThat(ONLY_INPUT.ofAnswer()).isEqualTo(ONLY_INPUT);
    }

    @Test
    void shouldCountAtLeastWhatIsKnown() {
        assertThat(ONLY_INPUT.atLeast()).isEqualTo(10);
        assertThat(ONLY_TOTAL.atLeast()).isEqualTo(30);
        assertThat(Usage.of(3, 4).atLeast()).isEqualTo(7);
        assertThat(Usage.UNKNOWN.atLeast()).isZero();
    }

    @Test
    void shouldHaveNoCostWhenInputOrOutputIsNotKnown() {
        Price price = new Price(new BigDecimal("2"), new BigDecimal("8"), new BigDecimal("1"), new BigDecimal("4"));

        assertThat(price.costUsd(new Usage(1_000_000, 500_000, 0, 400_000, 100_000, 1_600_000)))
                .isEqualByComparingTo("6.0");
        assertThat(price.costUsd(new Usage(1_000_000L, 500_000L, null, null, null, null)))
                .as("all input counts as uncached where the cache is not reported")
                .isEqualByComparingTo("6");
        assertThat(price.costUsd(ONLY_INPUT)).isNull();
        assertThat(price.costUsd(ONLY_OUTPUT)).isNull();
        assertThat(price.costUsd(ONLY_TOTAL)).isNull();
    }

    @Test
    void shouldCountAnAnswerWithoutUsageAmongThoseWithoutACost() {
        Spend spend = Spend.of(Usage.of(3, 4), BigDecimal.ONE)
                .plus(Spend.of(Usage.UNKNOWN, null))
                .plus(Spend.of(Usage.NONE, null));

        assertThat(spend).isEqualTo(new Spend(new UsageTotal(Usage.of(3, 4), 1), BigDecimal.ONE, 1));
    }

    @Test
    void shouldWriteUnknownUsageBesideTheUsageAndReadOlderSpends() {
        Spend spend = Spend.of(ONLY_INPUT, null);

        assertThat(Json.tree(Json.write(spend))).isEqualTo(Json.tree("""
            {"usage": {"input": 10, "output": null, "reasoning": null, "cacheRead": null, "cacheWrite": null,
             "total": null}, "unknownUsage": 1, "costUsd": null, "unpriced": 1}\
            """));
        assertThat(Json.read(Json.write(spend), Spend.class)).isEqualTo(spend);
        assertThat(Json.read("""
            {"usage": {"input": 3, "output": 4, "reasoning": 0, "cacheRead": 0, "cacheWrite": 0, "total": 7},
             "costUsd": 1, "unpriced": 0}\
            """, Spend.class)).isEqualTo(new Spend(Usage.of(3, 4), BigDecimal.ONE, 0));
    }

    @Test
    void shouldRefuseNegativeNumbers() {
        assertThatThrownBy(() -> new Usage(null, -1L, null, null, null, null))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
