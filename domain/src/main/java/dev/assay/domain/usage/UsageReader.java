package dev.assay.domain.usage;

import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;

/** The reader of tokens that users or cassettes state. */
public final class UsageReader {

    /** The fields of a usage. */
    public static final Fields FIELDS =
            Fields.of("usage", "input", "output", "reasoning", "cacheRead", "cacheWrite", "total");

    /** A trillion: sums over a million cells stay within a long. */
    private static final NumberRule TOKENS = NumberRule.whole(0, 1_000_000_000_000L);

    private UsageReader() {}

    /** Reads the usage whose fields are {@code fields}. Fields that are left out are 0, and {@code total} is input plus output. */
    public static Usage read(FieldReader fields) {
        long input = fields.longInteger("input", TOKENS, 0);
        long output = fields.longInteger("output", TOKENS, 0);
        return new Usage(
                input,
                output,
                fields.longInteger("reasoning", TOKENS, 0),
                fields.longInteger("cacheRead", TOKENS, 0),
                fields.longInteger("cacheWrite", TOKENS, 0),
                fields.longInteger("total", TOKENS, input + output));
    }
}
