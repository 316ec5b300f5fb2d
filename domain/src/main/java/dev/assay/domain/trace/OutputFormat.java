package dev.assay.domain.trace;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The format of what a program prints. Users write the constant in lower case. */
public enum OutputFormat {
    /** Text for people. */
    TEXT,
    /** JSON values of any kind, one on each line. */
    JSONL,
    /** The output of {@code claude -p --output-format stream-json --verbose}. */
    CLAUDE,
    /** The output of {@code codex exec --json}. */
    CODEX,
    /** The output of {@code gemini --output-format stream-json}. */
    GEMINI;

    private static final Map<String, OutputFormat> BY_WORD = Arrays.stream(values())
            .collect(Collectors.toMap(OutputFormat::word, format -> format, (a, b) -> a, LinkedHashMap::new));

    /** The word that users write. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All formats by their words. */
    public static Map<String, OutputFormat> byWord() {
        return Map.copyOf(BY_WORD);
    }
}
