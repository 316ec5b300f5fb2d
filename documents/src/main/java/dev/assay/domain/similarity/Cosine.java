package dev.assay.domain.similarity;

import java.util.OptionalDouble;

/** The cosine of the angle between two vectors: 1 where they point the same way, 0 where they have nothing in common. */
public final class Cosine {

    private Cosine() {}

    /** The cosine, −1–1; empty where the vectors have no angle: of different lengths, of nothing but zeros, or not of finite numbers. */
    public static OptionalDouble of(double[] one, double[] other) {
        double scale = largest(one);
        double otherScale = largest(other);
        if (one.length != other.length || !(scale > 0 && otherScale > 0)) {
            return OptionalDouble.empty();
        }
        double product = 0;
        double square = 0;
        double otherSquare = 0;
        for (int i = 0; i < one.length; i++) {
            // Squares of very large or very small numbers would not be numbers any more.
            double a = one[i] / scale;
            double b = other[i] / otherScale;
            product += a * b;
            square += a * a;
            otherSquare += b * b;
        }
        return OptionalDouble.of(Math.clamp(product / Math.sqrt(square * otherSquare), -1.0, 1.0));
    }

    /** The largest magnitude; 0 where one is no finite number. */
    private static double largest(double[] vector) {
        double largest = 0;
        for (double number : vector) {
            if (!Double.isFinite(number)) {
                return 0;
            }
            largest = Math.max(largest, Math.abs(number));
        }
        return largest;
    }
}
