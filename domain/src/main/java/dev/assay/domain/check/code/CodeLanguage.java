package dev.assay.domain.check.code;

import dev.assay.domain.text.Excerpt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What runs own code. */
public enum CodeLanguage {
    PYTHON("python", 3, 9),
    JAVASCRIPT("javascript", 20, 0),
    /** Any command. */
    PROGRAM("program", 0, 0);

    /** The words of the languages that have an interpreter. */
    public static final Set<String> INTERPRETED = Set.of(PYTHON.word, JAVASCRIPT.word);

    private final String word;
    /** The oldest version of the interpreter. */
    private final int major;

    private final int minor;

    CodeLanguage(String word, int major, int minor) {
        this.word = word;
        this.major = major;
        this.minor = minor;
    }

    /** The word that users write. */
    public String word() {
        return word;
    }

    /** The program that runs it, as it is looked for on the PATH. */
    public String interpreter() {
        return this == PYTHON ? "python3" : this == JAVASCRIPT ? "node" : word;
    }

    /** Why an interpreter of {@code version} runs no own code, as a sentence; null: it does. */
    public @Nullable String refusal(String version) {
        String[] parts = version.split("\\.", -1);
        int first = number(parts[0]);
        int second = parts.length > 1 ? number(parts[1]) : 0;
        return first > major || (first == major && second >= minor)
                ? null
                : "%s on the PATH is version %s, and own code needs %d.%d or newer."
                        .formatted(interpreter(), Excerpt.of(version), major, minor);
    }

    private static int number(String part) {
        return part.matches("[0-9]{1,6}") ? Integer.parseInt(part) : 0;
    }

    /** Whether a text may be a verdict, fields may have names in Python's style, and a threshold goes before {@code pass}. */
    boolean isLenient() {
        return this != JAVASCRIPT;
    }
}
