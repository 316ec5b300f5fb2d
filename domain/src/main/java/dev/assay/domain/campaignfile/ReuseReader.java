package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.domain.draw.ReusePolicy.Call;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reader and writer of {@code reuse}: which stored answers a campaign takes. */
public final class ReuseReader {

    /** The field of a campaign file. */
    public static final String FIELD = "reuse";

    /** What stands for all campaigns. */
    public static final String ANY = "any";

    static final Fields FIELDS = Fields.of("reuse", "from", "maxAge", "calls");

    private static final int MAX_ID = 200;
    private static final Duration MOST_AGE = Duration.ofDays(36_500);
    private static final Pattern AGE = Pattern.compile("([1-9][0-9]{0,7})([mhd])");
    private static final Map<String, Call> CALLS = Arrays.stream(Call.values())
            .collect(Collectors.toMap(Call::word, call -> call, (one, _) -> one, LinkedHashMap::new));

    private ReuseReader() {}

    /** Reads the field; null: every answer is asked for. */
    static @Nullable ReusePolicy read(FieldReader document) {
        JsonNode written = document.node(FIELD);
        if (written == null || written.isNull()) {
            return null;
        }
        if (written.isTextual()) {
            return ofText(document, written.textValue());
        }
        FieldReader fields = document.objectOrEmpty(FIELD, FIELDS);
        if (document.isWrong(FIELD)) {
            return null;
        }
        return new ReusePolicy(from(fields), age(fields), calls(fields));
    }

    private static @Nullable ReusePolicy ofText(FieldReader document, String text) {
        if (!text.equals(ANY)) {
            document.problem(FIELD, "`reuse` must be `any`, or an object whose `from` names campaigns.");
            return null;
        }
        return new ReusePolicy(List.of(), null, EnumSet.allOf(Call.class));
    }

    private static List<String> from(FieldReader fields) {
        JsonNode from = fields.required("from");
        if (from == null || (from.isTextual() && from.textValue().equals(ANY))) {
            return List.of();
        }
        if (from.isTextual()) {
            String id = fields.line("from", MAX_ID);
            return fields.isWrong("from") ? List.of() : List.of(id);
        }
        List<String> ids = fields.list("from", TextRules.lineItem(MAX_ID));
        if (!fields.isWrong("from")
                && (ids.isEmpty()
                        || ids.size() > ReusePolicy.MOST_CAMPAIGNS
                        || new HashSet<>(ids).size() < ids.size())) {
            fields.problem(
                    "from",
                    "`" + fields.path("from") + "` must be `any`, or name 1 to " + ReusePolicy.MOST_CAMPAIGNS
                            + " campaigns by id, each once.");
        }
        return ids;
    }

    private static @Nullable Duration age(FieldReader fields) {
        String text = fields.nullableText("maxAge");
        if (text == null || fields.isWrong("maxAge")) {
            return null;
        }
        Duration age = age(text);
        if (age == null) {
            fields.problem(
                    "maxAge",
                    "`" + fields.path("maxAge") + "` must be a whole number from 1 and m, h or d, such as 30d; at most "
                            + MOST_AGE.toDays() + "d.");
        }
        return age;
    }

    private static @Nullable Duration age(String text) {
        Matcher written = AGE.matcher(text);
        if (!written.matches()) {
            return null;
        }
        long number = Long.parseLong(written.group(1));
        Duration age = switch (written.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
        return age.compareTo(MOST_AGE) > 0 ? null : age;
    }

    private static Set<Call> calls(FieldReader fields) {
        if (!fields.hasValue("calls")) {
            return EnumSet.allOf(Call.class);
        }
        List<Call> calls = fields.nonEmptyList("calls", (node, path, problems) -> {
            Call call = CALLS.get(node.asText());
            if (call == null) {
                problems.add(path, "`" + path + "` must be " + String.join(", ", CALLS.keySet()) + ".");
            }
            return call;
        });
        return calls.isEmpty() ? EnumSet.allOf(Call.class) : EnumSet.copyOf(calls);
    }

    static void write(@Nullable ReusePolicy reuse, ObjectNode document) {
        if (reuse == null) {
            return;
        }
        ObjectNode written = document.putObject(FIELD);
        if (reuse.campaigns().isEmpty()) {
            written.put("from", ANY);
        } else {
            ArrayNode from = written.putArray("from");
            reuse.campaigns().forEach(from::add);
        }
        if (reuse.maxAge() != null) {
            written.put("maxAge", reuse.maxAge().toMinutes() + "m");
        }
        ArrayNode calls = written.putArray("calls");
        Arrays.stream(Call.values()).filter(reuse.calls()::contains).forEach(call -> calls.add(call.word()));
    }
}
