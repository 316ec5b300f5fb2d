package dev.assay.domain.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.toml.TomlFactory;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.text.Excerpt;
import java.io.IOException;
import java.io.UncheckedIOException;

/** TOML documents as trees. */
public final class TomlText {

    /** More than any settings need, and little enough to be read in a moment. */
    private static final int MAX_CHARACTERS = 4 << 20;

    private static final TomlMapper MAPPER = TomlMapper.builder(TomlFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DocumentLimits.MAX_DEPTH)
                            .build())
                    .build())
            .build();

    private TomlText() {}

    /** The library reads all characters before it hands out the first token; each piece of them is a step. */
    private static JsonNode tree(String text) throws JsonProcessingException {
        try {
            return MAPPER.readTree(new HeedingReader(text));
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads {@code text}. Dates and times become texts.
     *
     * @throws AssayException MALFORMED_INPUT, with line and column, from 1, where they are known
     */
    public static ObjectNode parse(String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw DocumentText.malformed("The document is larger than 4 MB; shorten it.");
        }
        try {
            JsonNode tree = tree(text.startsWith("\uFEFF") ? text.substring(1) : text);
            // Names with dots nest without a bracket that the parser would count.
            Problems problems = new Problems();
            if (!DocumentLimits.isShallow(tree, "", problems)) {
                throw DocumentText.malformed(problems.errors().getFirst().message());
            }
            return tree instanceof ObjectNode object ? object : MAPPER.createObjectNode();
        } catch (JsonProcessingException malformed) {
            JsonLocation place = malformed.getLocation();
            String message = Excerpt.of(malformed.getOriginalMessage(), 300);
            throw place == null
                    ? DocumentText.malformed(message)
                    : DocumentText.malformed(place.getLineNr(), place.getColumnNr(), message);
        } catch (ArithmeticException | NumberFormatException unreadable) {
            throw DocumentText.malformed("A number in the document has too many digits; write another.");
        }
    }
}
