package dev.assay.domain.check;

import dev.assay.domain.document.FieldReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A kind of check.
 *
 * @param word what users write as {@code type}; stored, so it never changes
 * @param fields what it has beside the fields of every check
 * @param rule the class of its rules
 * @param reader reads what users write; reports what is wrong with it
 */
public record CheckKind(String word, Set<String> fields, Class<? extends CheckRule> rule, Reader reader) {

    /** Reads the fields of one kind. */
    @FunctionalInterface
    public interface Reader {
        CheckRule read(FieldReader fields);
    }

    /** Every kind by its word, in the order in which they are documented. */
    static Map<String, CheckKind> byWord() {
        return All.BY_WORD;
    }

    /** The kinds that have a field. */
    static List<CheckKind> withField(String field) {
        return All.BY_WORD.values().stream()
                .filter(kind -> kind.fields.contains(field))
                .toList();
    }

    /** Apart, because the rules must be loaded before their kinds can be listed. */
    private static final class All {
        private static final Map<String, CheckKind> BY_WORD = Stream.of(
                        EqualsRule.KIND,
                        ContainsRule.KIND,
                        ContainsIgnoringCaseRule.KIND,
                        RegexRule.KIND,
                        JsonRule.KIND)
                .collect(Collectors.toMap(CheckKind::word, kind -> kind, (a, b) -> a, LinkedHashMap::new));
    }
}
