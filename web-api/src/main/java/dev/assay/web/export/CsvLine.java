package dev.assay.web.export;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lines of comma-separated values (RFC 4180). A text that a spreadsheet takes for a formula gets a leading apostrophe. */
public final class CsvLine {

    private static final Pattern FORMULA = Pattern.compile("[=+\\-@\t\r].*", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+([.,][0-9]+)?");

    private CsvLine() {}

    /** One line, its line break included; null is an empty field. */
    public static String of(List<? extends @Nullable Object> fields) {
        return fields.stream().map(CsvLine::field).collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String field(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        String text = value.toString();
        if (FORMULA.matcher(text).matches() && !NUMBER.matcher(text).matches()) {
            text = "'" + text;
        }
        return text.chars().anyMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r')
                ? '"' + text.replace("\"", "\"\"") + '"'
                : text;
    }
}
