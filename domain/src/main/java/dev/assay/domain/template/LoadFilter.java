package dev.assay.domain.template;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
import dev.assay.domain.json.Json;
import org.jspecify.annotations.Nullable;

/** {@code load} of promptfoo: the value of a text of JSON. */
final class LoadFilter implements Filter {

    @Override
    public String getName() {
        return "load";
    }

    @Override
    public @Nullable Object filter(@Nullable Object value, JinjavaInterpreter interpreter, String... arguments) {
        try {
            return TemplateValues.of(Json.mapper().readTree(String.valueOf(value)));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("`load` takes a text of JSON, which this is not", e);
        }
    }
}
