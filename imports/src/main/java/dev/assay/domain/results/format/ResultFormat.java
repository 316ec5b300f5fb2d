package dev.assay.domain.results.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultFile;
import dev.assay.domain.results.source.ResultTokens;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** The form of a file of results. */
public enum ResultFormat {
    /** A log of Inspect AI. */
    INSPECT,
    /** Results of promptfoo. */
    PROMPTFOO,
    /** Samples of the lm-evaluation-harness. */
    LM_EVAL_SAMPLES,
    /** What the lm-evaluation-harness says of its samples. */
    LM_EVAL_RESULTS,
    /** Perhaps objects of OpenAI's Evals API, which may stand anywhere in a file. */
    OTHER;

    /** What people are told when a file has no form that is known. */
    public static final String KNOWN =
            "known are logs of Inspect (.eval, .json), results of promptfoo (JSON), samples_*.jsonl and"
                    + " results_*.json of the lm-evaluation-harness, and saved objects of OpenAI's Evals API";

    /** Names of its first object that are looked at. */
    private static final int MOST_NAMES = 1_000;

    /**
     * The form of a file, by the names of its first object.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when it is no JSON
     */
    public static ResultFormat of(ResultFile file) {
        JsonText text = file.text();
        if (text == null) {
            return INSPECT;
        }
        return ofNames(ResultTokens.read(text, ResultFormat::names));
    }

    /** Whether a file is an archive or begins as JSON does. */
    public static boolean isMeant(ResultFile file) {
        JsonText text = file.text();
        if (text == null) {
            return true;
        }
        try {
            return ResultTokens.read(text, parser -> {
                JsonToken first = parser.nextToken();
                return first == JsonToken.START_OBJECT || first == JsonToken.START_ARRAY;
            });
        } catch (AssayException e) {
            // It begins as no JSON does.
            return false;
        }
    }

    private static ResultFormat ofNames(Set<String> names) {
        if (names.containsAll(Set.of("doc_id", "filter", "resps"))) {
            return LM_EVAL_SAMPLES;
        }
        if (names.containsAll(Set.of("eval", "version", "status"))) {
            return INSPECT;
        }
        if (names.containsAll(Set.of("results", "results/version"))) {
            return PROMPTFOO;
        }
        boolean isSummary =
                names.contains("results") && (names.contains("configs") || names.contains("lm_eval_version"));
        return isSummary ? LM_EVAL_RESULTS : OTHER;
    }

    /** The names of the fields of the first object, and of those in its {@code results}. */
    private static Set<String> names(JsonParser parser) throws IOException {
        Set<String> names = new HashSet<>();
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return names;
        }
        while (names.size() < MOST_NAMES && parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            names.add(name);
            if (parser.nextToken() == JsonToken.START_OBJECT && name.equals("results")) {
                if (parser.nextToken() == JsonToken.FIELD_NAME) {
                    names.add("results/" + parser.currentName());
                }
                // What it begins with says enough; the rest may be all there is in the file.
                if (names.contains("results/version")) {
                    return names;
                }
                skipRest(parser);
            } else {
                parser.skipChildren();
            }
        }
        return names;
    }

    /** Goes to the end of the object of which {@code parser} stands at a name, or at its end. */
    private static void skipRest(JsonParser parser) throws IOException {
        while (parser.currentToken() == JsonToken.FIELD_NAME) {
            parser.nextToken();
            parser.skipChildren();
            parser.nextToken();
        }
    }
}
