package dev.assay.campaigns.imported;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.text.Excerpt;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Lines of JSON, each with its number. */
final class ResultLines {

    private ResultLines() {}

    /** A reader of one line. */
    interface LineReader {

        /**
         * Reads a line.
         *
         * @param path of the line in messages
         */
        void read(JsonNode line, String path, Problems problems);
    }

    /** Which lines are read. */
    enum Which {
        ALL,
        CASES,
        OUTCOMES
    }

    /**
     * Reads lines; blank ones are no lines.
     *
     * @throws AssayException MALFORMED_INPUT when a line is no JSON; INVALID_INPUT with everything that is wrong
     */
    static void read(byte[] content, Which which, LineReader reader) {
        Problems problems = new Problems();
        String text = text(content);
        int number = 0;
        int from = 0;
        while (from < text.length() && !problems.isFull()) {
            int end = text.indexOf('\n', from);
            int until = end < 0 ? text.length() : end;
            number++;
            if (!isBlank(text, from, until) && isMeant(which, text, from)) {
                reader.read(tree(text.substring(from, until), number), "lines[" + number + "]", problems);
            }
            from = until + 1;
        }
        problems.throwIfAny("results");
    }

    private static boolean isBlank(String text, int from, int until) {
        return skip(text, from, " \t\r") >= until;
    }

    private static boolean isMeant(Which which, String text, int from) {
        int name = skip(text, from, " \t\r{");
        boolean isCase = text.startsWith("\"case\"", name);
        return switch (which) {
            case ALL -> true;
            case CASES -> isCase;
            case OUTCOMES -> !isCase;
        };
    }

    private static int skip(String text, int from, String skipped) {
        int at = from;
        while (at < text.length() && skipped.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    private static JsonNode tree(String line, int number) {
        try {
            return Json.tree(line);
        } catch (IllegalArgumentException e) {
            throw new AssayException(
                    ErrorCode.MALFORMED_INPUT, "Line " + number + " is no JSON: " + Excerpt.of(reason(e)), e);
        }
    }

    private static String reason(IllegalArgumentException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage());
    }

    private static String text(byte[] content) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new AssayException(ErrorCode.MALFORMED_INPUT, "The results are not UTF-8", e);
        }
    }
}
