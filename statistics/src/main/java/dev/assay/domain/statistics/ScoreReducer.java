package dev.assay.domain.statistics;

import java.util.Arrays;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/** One score of a case from those of its trials. */
public enum ScoreReducer {
    MEAN {
        @Override
        double ofSorted(double[] scores) {
            return Sum.of(scores).getAsDouble() / scores.length;
        }
    },
    /** The mean of the middle two when there is no middle one. */
    MEDIAN {
        @Override
        double ofSorted(double[] scores) {
            int half = scores.length / 2;
            return scores.length % 2 == 1 ? scores[half] : (scores[half - 1] + scores[half]) / 2;
        }
    },
    /** The most frequent score, of several the smallest. */
    MODE {
        @Override
        double ofSorted(double[] scores) {
            int most = 0;
            double mode = scores[0];
            int begin = 0;
            for (int i = 0; i < scores.length; i++) {
                if (scores[i] != scores[begin]) {
                    begin = i;
                }
                if (i - begin + 1 > most) {
                    most = i - begin + 1;
                    mode = scores[i];
                }
            }
            return mode;
        }
    },
    MAX {
        @Override
        double ofSorted(double[] scores) {
            return scores[scores.length - 1];
        }
    },
    MIN {
        @Override
        double ofSorted(double[] scores) {
            return scores[0];
        }
    };

    /** The score of a case; null when it has none. The order of {@code scores} does not matter. */
    public @Nullable Double reduce(double... scores) {
        if (scores.length == 0) {
            return null;
        }
        double[] sorted = scores.clone();
        Arrays.sort(sorted);
        return ofSorted(sorted);
    }

    abstract double ofSorted(double[] scores);
}
