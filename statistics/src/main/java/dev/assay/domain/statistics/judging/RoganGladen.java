package dev.assay.domain.statistics.judging;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import org.jspecify.annotations.Nullable;

/**
 * The true pass rate from a judge's rate, by how often the judge is right (Rogan and Gladen 1978). The interval is that of Lee et
 * al. (arXiv 2511.21140). For labels of another campaign; those of the same one go to {@link PredictionPowered}.
 *
 * <p>With z the quantile, {@code p̃ = (n p + z²/2) / (n + z²)}, {@code q₀ = (tn + 1) / (m₀ + 2)} and
 * {@code q₁ = (tp + 1) / (m₁ + 2)}. Then {@code J = q₀ + q₁ − 1} and {@code θ = (p̃ + q₀ − 1) / J}. The shift is
 * {@code 2 z² (θ q₁ (1 − q₁) / (m₁ + 2) − (1 − θ) q₀ (1 − q₀) / (m₀ + 2))}. The error is
 * {@code se = √(p̃ (1 − p̃) / (n + z²) + (1 − θ)² q₀ (1 − q₀) / (m₀ + 2) + θ² q₁ (1 − q₁) / (m₁ + 2)) / J}. The interval is
 * {@code θ + shift ∓ z se}, cut to 0–1.
 *
 * @param value (p + tn / m₀ − 1) / (tn / m₀ + tp / m₁ − 1), held in 0–1
 * @param interval for the true rate
 */
public record RoganGladen(double value, Interval interval) {

    /**
     * The counts of how often the judge is right, against people's labels.
     *
     * @param rightFails tn: of what people fail, what the judge fails
     * @param rightPasses tp: of what people pass, what the judge passes
     */
    public record Labels(int rightFails, int fails, int rightPasses, int passes) {}

    /**
     * The corrected rate; null where n, m₀ or m₁ is 0, and where the judge is no better than a coin, which corrects nothing.
     *
     * @param rate p: what the judge says, 0–1
     * @param size n: the effective size of that rate, at least 0
     */
    public static @Nullable RoganGladen of(double rate, double size, Labels labels, double level) {
        if (!(size > 0) || labels.fails() <= 0 || labels.passes() <= 0) {
            return null;
        }
        double specificity = (double) labels.rightFails() / labels.fails();
        double sensitivity = (double) labels.rightPasses() / labels.passes();
        double informed = (labels.rightFails() + 1.0) / (labels.fails() + 2)
                + (labels.rightPasses() + 1.0) / (labels.passes() + 2)
                - 1;
        if (specificity + sensitivity <= 1 || informed <= 0) {
            return null;
        }
        double value = (rate + specificity - 1) / (specificity + sensitivity - 1);
        return new RoganGladen(Interval.UNIT.nearest(value), interval(rate, size, labels, level));
    }

    private static Interval interval(double rate, double size, Labels labels, double level) {
        double z = Quantiles.normal(level);
        double p = (size * rate + z * z / 2) / (size + z * z);
        double q0 = (labels.rightFails() + 1.0) / (labels.fails() + 2);
        double q1 = (labels.rightPasses() + 1.0) / (labels.passes() + 2);
        double theta = (p + q0 - 1) / (q0 + q1 - 1);
        double v0 = q0 * (1 - q0) / (labels.fails() + 2);
        double v1 = q1 * (1 - q1) / (labels.passes() + 2);
        double shift = 2 * z * z * (theta * v1 - (1 - theta) * v0);
        double variance = p * (1 - p) / (size + z * z) + (1 - theta) * (1 - theta) * v0 + theta * theta * v1;
        return Interval.around(theta + shift, z * Math.sqrt(variance) / (q0 + q1 - 1), Interval.UNIT);
    }
}
