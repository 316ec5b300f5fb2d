package dev.assay.domain.similarity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CosineTest {

    private static double[] vector(double... numbers) {
        return numbers;
    }

    static Stream<Arguments> angles() {
        return Stream.of(
                Arguments.of(vector(1, 0), vector(0, 1), 0),
                Arguments.of(vector(3, 4), vector(4, 3), 0.96),
                Arguments.of(vector(3, 4), vector(-3, -4), -1),
                Arguments.of(vector(3e200, 4e200), vector(4e-200, 3e-200), 0.96),
                Arguments.of(vector(Double.MIN_VALUE), vector(Double.MAX_VALUE), 1));
    }

    @ParameterizedTest
    @MethodSource("angles")
    void shouldBeTheCosineWhateverTheLengthsOfTheVectors(double[] one, double[] other, double cosine) {
        assertThat(Cosine.of(one, other).orElseThrow()).isCloseTo(cosine, org.assertj.core.data.Offset.offset(1e-12));
    }

    @Test
    void shouldBeExactlyOneWhenAVectorIsComparedWithItself() {
        double[] vector = new double[1536];
        Arrays.setAll(vector, i -> Math.sin(i * 0.7) / 3);

        assertThat(Cosine.of(vector, vector.clone())).hasValue(1);
    }

    static Stream<Arguments> noAngles() {
        return Stream.of(
                Arguments.of(vector(), vector()),
                Arguments.of(vector(1), vector(1, 2)),
                Arguments.of(vector(1, 2), vector(0, 0)),
                Arguments.of(vector(1, Double.NaN), vector(1, 2)),
                Arguments.of(vector(1, 2), vector(1, Double.POSITIVE_INFINITY)));
    }

    @ParameterizedTest
    @MethodSource("noAngles")
    void shouldBeNothingWhenThereIsNoAngle(double[] one, double[] other) {
        assertThat(Cosine.of(one, other)).isEmpty();
        assertThat(Cosine.of(other, one)).isEmpty();
    }
}
