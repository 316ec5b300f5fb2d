package dev.assay.domain.results.inspect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.results.form.Warnings;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultFile;
import dev.assay.domain.results.source.ResultTokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A log of Inspect: an archive, or one document. */
final class InspectLog {

    /** What is not needed of a sample, and may be most of it. */
    private static final Set<String> UNNEEDED = Set.of("events", "events_data", "timelines", "store");

    private static final Set<String> ELSEWHERE = Set.of("samples", "reductions");
    private static final Pattern WHOLE = Pattern.compile("samples/.*_epoch_[0-9]+\\.json", Pattern.DOTALL);
    private static final Pattern IN_PIECES = Pattern.compile("(samples/.*_epoch_[0-9]+/)sample\\.json", Pattern.DOTALL);
    private static final Pattern NUMBERED = Pattern.compile("([0-9]{1,9})\\.json");

    private final ResultFile file;
    private final boolean salvage;
    private final Warnings warnings;

    /** @param salvage whether samples that are damaged are left out */
    InspectLog(ResultFile file, boolean salvage, Warnings warnings) {
        this.file = file;
        this.salvage = salvage;
        this.warnings = warnings;
    }

    /** The log without its samples. One that was cut off has the status {@code started}. */
    JsonNode header() {
        JsonText text = file.text();
        if (text != null) {
            return ResultTokens.tree(text, ELSEWHERE);
        }
        JsonText header = file.entries().get("header.json");
        if (header != null) {
            return ResultTokens.tree(header, ELSEWHERE);
        }
        JsonText start = file.entries().get("_journal/start.json");
        if (start == null) {
            throw BadResults.at(file.name(), "It holds neither header.json nor _journal/start.json.");
        }
        JsonNode begun = ResultTokens.tree(start, ELSEWHERE);
        return begun instanceof ObjectNode object ? object.put("status", "started") : begun;
    }

    /** All samples, without reading more of them than what names them. */
    List<LogSample> samples() {
        JsonText text = file.text();
        return text == null ? entries() : ResultTokens.read(text, parser -> inDocument(parser, text));
    }

    private List<LogSample> entries() {
        List<LogSample> samples = new ArrayList<>();
        file.entries().forEach((name, text) -> {
            Matcher pieces = IN_PIECES.matcher(name);
            boolean isPieces = pieces.matches();
            if (isPieces || WHOLE.matcher(name).matches()) {
                LogSample sample = named(text, isPieces ? pieces.group(1) : null);
                if (sample != null) {
                    samples.add(sample);
                }
            }
        });
        return samples;
    }

    private @Nullable LogSample named(JsonText text, @Nullable String prefix) {
        try {
            return ResultTokens.read(text, parser -> {
                parser.nextToken();
                return named(parser, text, prefix);
            });
        } catch (AssayException e) {
            leaveOut(e);
            return null;
        }
    }

    private void leaveOut(AssayException damaged) {
        if (!salvage) {
            throw damaged;
        }
        warnings.add("A sample is left out. " + damaged.getMessage());
    }

    private static List<LogSample> inDocument(JsonParser parser, JsonText text) throws IOException {
        List<LogSample> samples = new ArrayList<>();
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new IOException("It is no object.");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.START_ARRAY || !name.equals("samples")) {
                parser.skipChildren();
                continue;
            }
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                JsonText sample = ResultTokens.part(parser, text);
                samples.add(ResultTokens.read(sample, one -> {
                    one.nextToken();
                    return named(one, sample, null);
                }));
            }
        }
        return samples;
    }

    /** Reads a sample until its names are known: they come first. */
    private static LogSample named(JsonParser parser, JsonText text, @Nullable String prefix) throws IOException {
        JsonNode id = null;
        int epoch = 0;
        while ((id == null || epoch == 0) && parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("id") && value.isScalarValue()) {
                id = ResultTokens.value(parser, text.place());
            } else if (name.equals("epoch") && value == JsonToken.VALUE_NUMBER_INT) {
                epoch = parser.getIntValue();
            } else {
                parser.skipChildren();
            }
        }
        boolean isNamed = id != null && (id.isTextual() || id.isIntegralNumber());
        if (id == null || !isNamed || epoch < 1) {
            throw BadResults.at(text.place(), "A sample has an `id`, a text or a whole number, and an `epoch` from 1.");
        }
        return new LogSample(id, epoch, text, prefix);
    }

    /** A sample as a whole; null: it is damaged, and left out. */
    @Nullable
    JsonNode read(LogSample sample) {
        try {
            JsonNode tree = ResultTokens.tree(sample.text(), UNNEEDED);
            if (sample.prefix() != null && tree instanceof ObjectNode shell) {
                join(shell, sample.prefix());
            }
            return tree;
        } catch (AssayException e) {
            leaveOut(e);
            return null;
        }
    }

    /** A sample that is stored in pieces: messages and attachments are lists in entries that are named by their first index. */
    private void join(ObjectNode shell, String prefix) {
        JsonText metadata = file.entries().get(prefix + "metadata.json");
        if (metadata != null) {
            shell.set("metadata", ResultTokens.tree(metadata, Set.of()));
        }
        shell.set("messages", sequence(prefix + "messages/"));
        ObjectNode attachments = shell.putObject("attachments");
        ArrayNode all = sequence(prefix + "attachments/");
        for (int i = 0; i < all.size(); i++) {
            attachments.set(String.valueOf(i), all.get(i));
        }
    }

    private ArrayNode sequence(String prefix) {
        SortedMap<Integer, JsonText> pieces = new TreeMap<>();
        for (Map.Entry<String, JsonText> entry : file.entries().entrySet()) {
            Matcher number = entry.getKey().startsWith(prefix)
                    ? NUMBERED.matcher(entry.getKey().substring(prefix.length()))
                    : null;
            if (number != null && number.matches()) {
                pieces.put(Integer.parseInt(number.group(1)), entry.getValue());
            }
        }
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        pieces.values().forEach(piece -> ResultTokens.tree(piece, Set.of()).forEach(all::add));
        return all;
    }
}
