package dev.assay.domain.check.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.json.Json;
import java.util.Set;
import java.util.function.Function;

/**
 * A kind of check.
 *
 * @param word what users write as {@code type}; stored, so it never changes
 * @param number of its rule, from 1; raised by any change that can turn a verdict. Verdicts name it
 * @param fields what it has beside the fields of every check
 * @param stored reads the stored form of a rule
 * @param reader reads what users write; reports what is wrong with it
 */
public record CheckKind(
        String word, int number, Set<String> fields, Function<JsonNode, CheckRule> stored, Reader reader) {

    /** A kind whose rules are the records of one class. */
    public CheckKind(String word, int number, Set<String> fields, Class<? extends CheckRule> rule, Reader reader) {
        this(word, number, fields, json -> Json.mapper().convertValue(json, rule), reader);
    }

    /** The rule as evaluators name it, such as {@code icontains/1}. */
    public String code() {
        return word + "/" + number;
    }

    /** The reader of the fields of one kind. */
    @FunctionalInterface
    public interface Reader {
        CheckRule read(FieldReader fields);
    }
}
