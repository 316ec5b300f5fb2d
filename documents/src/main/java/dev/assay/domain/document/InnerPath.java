package dev.assay.domain.document;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Paths of files below a directory that they must not leave. */
public final class InnerPath {

    private static final int MAX_LENGTH = 1_000;

    /** Separators of all systems: a path that leaves the directory on one system must not be kept for another. */
    private static final Pattern SEPARATOR = Pattern.compile("[/\\\\]");

    private static final Pattern ABSOLUTE = Pattern.compile("[/\\\\].*|[A-Za-z]:[/\\\\].*");

    private InnerPath() {}

    /** The problem with {@code path}, as the end of a sentence that begins with its field; null: none. */
    public static @Nullable String problem(String path) {
        if (path.isBlank()) {
            return "must not be blank; name a path below the working directory";
        }
        if (path.length() > MAX_LENGTH || path.chars().anyMatch(Character::isISOControl)) {
            return "must be one line of at most " + MAX_LENGTH + " characters";
        }
        if (ABSOLUTE.matcher(path).matches() || leaves(path)) {
            return "must be a path that does not leave the working directory";
        }
        return null;
    }

    private static boolean leaves(String path) {
        int depth = 0;
        for (String name : SEPARATOR.split(path, -1)) {
            if (name.equals("..")) {
                depth--;
            } else if (!name.isEmpty() && !name.equals(".")) {
                depth++;
            }
            if (depth < 0) {
                return true;
            }
        }
        return false;
    }

    /** The shortest path to the same place, for a path without a {@link #problem}; empty: the directory itself. */
    public static String normal(String path) {
        Deque<String> names = new ArrayDeque<>();
        for (String name : path.split("/", -1)) {
            if (name.equals("..")) {
                names.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.addLast(name);
            }
        }
        return String.join("/", names);
    }
}
