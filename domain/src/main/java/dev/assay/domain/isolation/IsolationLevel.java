package dev.assay.domain.isolation;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The distance at which a program is kept. Each level hides at least what those before it hide. Users write the constant in lower case. */
public enum IsolationLevel {
    /** The program is the worker's user and reaches what that user reaches. */
    NONE,
    /** The kernel's Landlock opens the program's own directory and the system's files, and nothing else. */
    CONFINED,
    /** The program is a user of its own, and Landlock holds it where the kernel has it. */
    USER,
    /** The program runs in a container of its own, from an image that the operator names. */
    CONTAINER;

    private static final Map<String, IsolationLevel> BY_WORD = Arrays.stream(values())
            .collect(Collectors.toMap(IsolationLevel::word, level -> level, (a, b) -> a, LinkedHashMap::new));

    /** The word that users write. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The level of a word.
     *
     * @throws NullPointerException when there is none
     */
    @JsonCreator
    public static IsolationLevel of(String word) {
        return Objects.requireNonNull(BY_WORD.get(word), word);
    }

    /** All levels by their words, the least first. */
    public static Map<String, IsolationLevel> byWord() {
        return new LinkedHashMap<>(BY_WORD);
    }

    /** Whether it hides at least what {@code other} hides. */
    public boolean isAtLeast(IsolationLevel other) {
        return compareTo(other) >= 0;
    }
}
