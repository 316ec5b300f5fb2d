package dev.assay.domain.hypothesis;

import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.hypothesis.BatchPlan.Mode;
import dev.assay.domain.hypothesis.BatchPlan.Wish;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reader of the cut of calls and of their concurrency. */
public final class ParallelConfigReader {

    /** The fields of {@code parallelConfig}. */
    public static final Fields FIELDS = Fields.of("parallelConfig", "mode", "batchSize", "maxConcurrent");

    private static final NumberRule SIZE = NumberRule.whole(1, 10_000);
    private static final Map<String, Mode> MODES = Arrays.stream(Mode.values())
            .collect(Collectors.toMap(Mode::word, mode -> mode, (a, b) -> a, LinkedHashMap::new));

    private ParallelConfigReader() {}

    /** The plan that the field {@code parallelConfig} of {@code document} asks for. */
    public static BatchPlan read(FieldReader document, int count) {
        if (!document.hasValue("parallelConfig")) {
            return BatchPlan.of(Math.max(1, count), Wish.NONE);
        }
        FieldReader fields = document.objectOrEmpty("parallelConfig", FIELDS);
        Wish wish = new Wish(
                fields.hasValue("mode") ? fields.word("mode", MODES) : null,
                size(fields, "batchSize"),
                size(fields, "maxConcurrent"));
        String contradiction = BatchPlan.contradiction(count, wish);
        if (contradiction != null) {
            fields.problem("batchSize", "`batchSize` " + contradiction + "; remove it, or choose another mode.");
        }
        return BatchPlan.of(Math.max(1, count), wish);
    }

    private static @Nullable Integer size(FieldReader fields, String name) {
        BigDecimal size = fields.nullableDecimal(name, SIZE);
        return size == null ? null : size.intValueExact();
    }
}
