package dev.assay.domain.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads checks that users write: what every check has here, the rest by its {@link CheckKind}. */
public final class CheckReader {

    private static final List<String> OF_KINDS = CheckKind.byWord().values().stream()
            .flatMap(kind -> kind.fields().stream())
            .distinct()
            .toList();

    /** What may be written. */
    public static final Fields FIELDS = new Fields(
            "check",
            Stream.of(Stream.of("type"), OF_KINDS.stream(), Stream.of("required", "weight"))
                    .flatMap(names -> names)
                    .toList());

    private static final NumberRule WEIGHT = NumberRule.between(0, 1_000);

    private CheckReader() {}

    /** Reads one check; null: it is unusable, which was reported. */
    public static @Nullable Check read(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
        CheckKind kind = fields.word("type", CheckKind.byWord());
        boolean required = fields.flag("required", true);
        BigDecimal weight = fields.decimal("weight", WEIGHT);
        if (kind == null) {
            return null;
        }
        OF_KINDS.stream()
                .filter(field -> fields.has(field) && !kind.fields().contains(field))
                .forEach(field -> fields.problem(field, "`" + field + "` " + foreign(field, kind) + "; remove it."));
        return new Check(kind.reader().read(fields), required, weight);
    }

    private static String foreign(String field, CheckKind kind) {
        List<CheckKind> owners = CheckKind.withField(field);
        return owners.size() == 1
                ? "belongs to checks of type " + owners.getFirst().word() + " only"
                : "is not used by checks of type " + kind.word();
    }
}
