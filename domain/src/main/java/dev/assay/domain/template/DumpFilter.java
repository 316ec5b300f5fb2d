package dev.assay.domain.template;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
import dev.assay.domain.json.Json;
import org.jspecify.annotations.Nullable;

/** {@code dump} of nunjucks: the value as JSON. */
final class DumpFilter implements Filter {

    @Override
    public String getName() {
        return "dump";
    }

    @Override
    public Object filter(@Nullable Object value, JinjavaInterpreter interpreter, String... arguments) {
        return value == null ? "null" : Json.write(value);
    }
}
