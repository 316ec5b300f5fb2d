package dev.assay.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.statistics.sequential.MixtureSequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Does the running interval hold the mean rate of the suite at every trial of a campaign? Cases have rates of their own, sorted by
 * difficulty in the file. {@code -Dassay.campaigns=N} draws N campaigns for each setting.
 */
@Tag("slow")
class OrderCoverageTest {

    private static final int CAMPAIGNS = Integer.getInteger("assay.campaigns", 400);
    private static final double ALPHA = 0.05;

    /** What a draw of so many campaigns may miss of 95 %. */
    private static final double LEAST = 1 - ALPHA - 3 * Math.sqrt(ALPHA * (1 - ALPHA) / CAMPAIGNS);

    /** Rates of cases, the hardest first. */
    private enum Suite {
        EVEN {
            @Override
            double rate(double place) {
                return 0.02 + 0.96 * place;
            }
        },
        MOSTLY_EASY {
            @Override
            double rate(double place) {
                return 0.05 + 0.94 * Math.sqrt(place);
            }
        },
        ALWAYS_OR_NEVER {
            @Override
            double rate(double place) {
                return place < 0.3 ? 0 : 1;
            }
        };

        abstract double rate(double place);

        double[] rates(int cases) {
            return IntStream.range(0, cases)
                    .mapToDouble(i -> rate((i + 0.5) / cases))
                    .toArray();
        }
    }

    private final SplittableRandom random = new SplittableRandom(28);

    private boolean leaves(TrialOrder order, double[] rates, int trials, double mean) {
        int passed = 0;
        for (int done = 1; done <= rates.length * trials; done++) {
            double rate = rates[order.ordinal(done - 1) % rates.length];
            passed += random.nextDouble() < rate ? 1 : 0;
            if (MixtureSequence.evidence(passed, done, mean) >= 1 / ALPHA) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldHoldTheRateOfTheSuiteWhereTheOrderIsDrawnAndNotWhereItIsSorted() {
        List<String> settings = new ArrayList<>();
        for (int cases : new int[] {10, 28, 100, 400}) {
            for (int trials : new int[] {1, 5, 20}) {
                for (Suite suite : Suite.values()) {
                    double[] rates = suite.rates(cases);
                    double mean = Arrays.stream(rates).average().orElseThrow();
                    long drawn = IntStream.range(0, CAMPAIGNS)
                            .filter(_ -> leaves(new DrawnOrder(random.nextLong(), cases), rates, trials, mean))
                            .count();
                    long sorted = IntStream.range(0, CAMPAIGNS)
                            .filter(_ -> leaves(new GivenOrder(), rates, trials, mean))
                            .count();
                    double held = 1 - (double) drawn / CAMPAIGNS;
                    double left = (double) sorted / CAMPAIGNS;
                    settings.add("%d x %d, %s: drawn holds %.3f, sorted leaves %.3f"
                            .formatted(cases, trials, suite, held, left));
                    assertThat(held).as("%s", settings.getLast()).isGreaterThanOrEqualTo(LEAST);
                    if (cases == 400) {
                        assertThat(left).as("%s", settings.getLast()).isGreaterThanOrEqualTo(0.99);
                    }
                }
            }
        }
        settings.forEach(System.out::println);
    }
}
