package dev.assay.domain.usage;

import java.util.stream.Stream;

/**
 * Tokens of many answers. The names are those of its JSON.
 *
 * @param usage field by field the sum of what is known; null where no answer reported it, and 0 where there was no answer
 * @param unknownUsage answers whose usage is {@linkplain Usage#missing missing}, in part at least, and so is missing from the sum. A loop of several turns is one answer, and requests without an answer are none
 */
public record UsageTotal(Usage usage, long unknownUsage) {

    /** Nothing was answered. */
    public static final UsageTotal NONE = new UsageTotal(Usage.NONE, 0);

    public UsageTotal {
        if (unknownUsage < 0) {
            throw new IllegalArgumentException("The number of answers of unknown usage must not be negative");
        }
    }

    /** The total of one answer, or of none where nothing was used. */
    public static UsageTotal of(Usage answer) {
        return answer.equals(Usage.NONE) ? NONE : new UsageTotal(answer, answer.missing() ? 1 : 0);
    }

    /** The total of {@code answers}. */
    public static UsageTotal of(Stream<Usage> answers) {
        return answers.map(UsageTotal::of).reduce(NONE, UsageTotal::plus);
    }

    /**
     * The total that was added up elsewhere.
     *
     * @param known sums of what is known, null where nothing is
     */
    public static UsageTotal summed(Usage known, long unknownUsage) {
        return unknownUsage == 0 && known.equals(Usage.UNKNOWN) ? NONE : new UsageTotal(known, unknownUsage);
    }

    /** Both together. */
    public UsageTotal plus(UsageTotal other) {
        if (equals(NONE)) {
            return other;
        }
        return other.equals(NONE)
                ? this
                : new UsageTotal(usage.plusKnown(other.usage), Math.addExact(unknownUsage, other.unknownUsage));
    }
}
