package dev.assay.domain.limit.size;

import dev.assay.domain.limit.Units;

/**
 * The size of a request that was answered.
 *
 * @param base tokens of its input by its bytes, at least 0
 * @param input tokens that its provider counted, at least 0
 * @param output tokens that its provider counted, at least 0
 */
public record AnsweredSize(long base, long input, long output) {

    public AnsweredSize {
        base = Math.clamp(base, 0, Units.MOST);
        input = Math.clamp(input, 0, Units.MOST);
        output = Math.clamp(output, 0, Units.MOST);
    }
}
