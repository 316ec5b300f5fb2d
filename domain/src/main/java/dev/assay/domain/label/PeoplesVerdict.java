package dev.assay.domain.label;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * What people say of a trial together: those who are unsure say nothing.
 *
 * @param value the mean of their numbers, 0–1; null: nobody gave one
 * @param passes the majority; null: as many say pass as fail, or nobody says anything
 */
public record PeoplesVerdict(
        @Nullable Double value, @Nullable Boolean passes) {

    /** The verdict of the labels in force, one for each person. */
    public static PeoplesVerdict of(Collection<LabelValue> labels) {
        List<Double> known =
                labels.stream().map(LabelValue::score).filter(Objects::nonNull).toList();
        if (known.isEmpty()) {
            return new PeoplesVerdict(null, null);
        }
        long pass = known.stream().filter(LabelValue::passes).count();
        long fail = known.size() - pass;
        double sum = Sum.of(
                        known.stream().mapToDouble(Double::doubleValue).sorted().toArray())
                .getAsDouble();
        return new PeoplesVerdict(sum / known.size(), pass == fail ? null : (Boolean) (pass > fail));
    }
}
