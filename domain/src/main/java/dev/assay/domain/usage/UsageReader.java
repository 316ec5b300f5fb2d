package dev.assay.domain.usage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reader of tokens that users or cassettes state. */
public final class UsageReader {

    /** The fields of a usage. */
    public static final Fields FIELDS =
            Fields.of("usage", "input", "output", "reasoning", "cacheRead", "cacheWrite", "total");

    /** A trillion: sums over a million cells stay within a long. */
    private static final NumberRule TOKENS = NumberRule.whole(0, 1_000_000_000_000L);

    private UsageReader() {}

    /**
     * Reads the usage whose fields are {@code fields}. A field that is null is not known. Left out, input and output are not known,
     * {@code total} is their sum, and the others are 0.
     */
    public static Usage read(FieldReader fields) {
        Long input = tokens(fields, "input");
        Long output = tokens(fields, "output");
        return new Usage(
                input,
                output,
                part(fields, "reasoning"),
                part(fields, "cacheRead"),
                part(fields, "cacheWrite"),
                Usage.total(tokens(fields, "total"), input, output));
    }

    /** Writes {@code usage} as {@link #read} reads it. What may be left out is, so that earlier builds read the rest. */
    public static ObjectNode write(Usage usage) {
        ObjectNode written = Json.mapper().valueToTree(usage);
        List.of("input", "output", "total").stream()
                .filter(name -> written.path(name).isNull())
                .forEach(written::remove);
        return written;
    }

    private static @Nullable Long part(FieldReader fields, String name) {
        return fields.has(name) ? tokens(fields, name) : Long.valueOf(0);
    }

    private static @Nullable Long tokens(FieldReader fields, String name) {
        BigDecimal written = fields.nullableDecimal(name, TOKENS);
        return written == null ? null : (Long) written.longValueExact();
    }
}
