package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.io.PrintWriter;
import java.util.function.Consumer;

/** A JSON list that is printed row by row, as the rows arrive: it may be larger than the memory. */
public final class JsonRows {

    private JsonRows() {}

    /** Prints what {@code rows} hands over. */
    public static void print(PrintWriter out, Consumer<Consumer<JsonNode>> rows) {
        StringBuilder separator = new StringBuilder("[");
        rows.accept(row -> {
            out.print(separator + System.lineSeparator() + "  " + Json.write(row));
            separator.setLength(0);
            separator.append(',');
        });
        out.println(separator.charAt(0) == '[' ? "[]" : System.lineSeparator() + "]");
    }
}
