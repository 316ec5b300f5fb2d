package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Tools that need no trust: their results depend on their arguments and on the case alone. */
public enum BuiltInTool {
    /** Decimal arithmetic. */
    CALCULATOR(
            "Computes an arithmetic expression in decimal arithmetic of 34 digits: + - * / % ^, parentheses, ABS,"
                    + " CEILING, FLOOR, MAX, MIN, ROUND, SQRT, SUM, e.g. (1+2)*3 or ROUND(10/3, 2).",
            """
            {"type": "object", "properties": {"expression": {"type": "string", "description": "the expression"}},
             "required": ["expression"], "additionalProperties": false}\
            """),
    /** The time that the case states. */
    CURRENT_TIME("Says what date and time it is, in ISO 8601.", """
        {"type": "object", "properties": {"timeZone": {"type": "string",
         "description": "IANA name such as Europe/Paris; UTC when left out"}}, "additionalProperties": false}\
        """),
    /** A look into a JSON document. */
    JSON_PATH("Finds values in a JSON document by a JSONPath expression, e.g. $.items[0].name.", """
        {"type": "object", "properties": {
         "json": {"description": "the document, as JSON or as a text that holds JSON"},
         "path": {"type": "string", "description": "the JSONPath expression"}},
         "required": ["json", "path"], "additionalProperties": false}\
        """);

    private final String description;
    private final String schema;

    BuiltInTool(String description, String schema) {
        this.description = description;
        this.schema = schema;
    }

    /** The word that users and models write. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The tool as the model sees it. */
    public ToolSpec spec() {
        return new ToolSpec(word(), description, Json.tree(schema));
    }

    /**
     * Answers one call.
     *
     * @param arguments valid by the schema
     * @throws ToolException when there is no answer
     */
    public String run(JsonNode arguments, Instant now) {
        return switch (this) {
            case CALCULATOR -> Calculator.compute(arguments.path("expression").asText());
            case CURRENT_TIME -> time(arguments.path("timeZone").asText(""), now);
            case JSON_PATH ->
                JsonPathQuery.run(arguments.path("json"), arguments.path("path").asText());
        };
    }

    private static String time(String zone, Instant now) {
        try {
            ZoneId id = zone.isBlank() ? ZoneOffset.UTC : ZoneId.of(zone);
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(now.atZone(id));
        } catch (DateTimeException e) {
            throw new ToolException("There is no time zone " + zone + "; use a name such as Europe/Paris.", e);
        }
    }
}
