package dev.assay.work.archive;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name of an entry by rule 2: a way down from the top of the workspace.
 *
 * @param segments 1 to 64, none of which is {@code .} or {@code ..}
 */
public record EntryName(List<String> segments) {

    /** What a target may not have either: control characters and backslashes. */
    static final String UNPRINTABLE = "has a control character or a backslash in its %s";

    public EntryName {
        segments = List.copyOf(segments);
    }

    /**
     * Reads a name.
     *
     * @param raw as it stands in the archive
     * @param isDirectory whether one {@code /} may end it
     * @return null where it only names the top
     * @throws RefusedArchiveException by rule 2
     */
    public static @Nullable EntryName of(byte[] raw, boolean isDirectory) throws RefusedArchiveException {
        String name = raw.length > ArchiveLimits.NAME ? null : ShownName.decoded(raw, raw.length);
        if (name == null) {
            throw refused(
                    raw.length > ArchiveLimits.NAME
                            ? "has a name of more than 4,096 bytes"
                            : "has a name that is not UTF-8");
        }
        int start = 0;
        while (name.startsWith("./", start)) {
            start += 2;
        }
        String below = name.substring(start);
        if (below.equals(".") || (below.isEmpty() && !name.isEmpty())) {
            return null;
        }
        boolean ends = isDirectory && below.endsWith("/");
        return checked(ends ? below.substring(0, below.length() - 1) : below);
    }

    private static EntryName checked(String name) throws RefusedArchiveException {
        if (name.isEmpty()) {
            throw refused("has no name");
        }
        if (name.startsWith("/")) {
            throw refused("has an absolute name");
        }
        if (hasForbidden(name)) {
            throw refused(UNPRINTABLE.formatted("name"));
        }
        List<String> segments = List.of(name.split("/", -1));
        for (String segment : segments) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw refused(
                        "has %s in its name".formatted(segment.isEmpty() ? "`//`" : "the segment `" + segment + "`"));
            }
            if (bytes(segment) > ArchiveLimits.SEGMENT) {
                throw refused("has a segment of more than 255 bytes in its name");
            }
        }
        if (segments.size() > ArchiveLimits.DEPTH) {
            throw refused("has a name of more than 64 segments");
        }
        return new EntryName(segments);
    }

    /** Whether {@code text} has a character that neither names nor targets may have. */
    static boolean hasForbidden(String text) {
        return text.chars().anyMatch(unit -> unit < ' ' || unit == 0x7f || unit == '\\');
    }

    static int bytes(String segment) {
        return segment.getBytes(StandardCharsets.UTF_8).length;
    }

    private static RefusedArchiveException refused(String reason) {
        return new RefusedArchiveException(ArchiveRule.NAMES, reason);
    }

    /** The name with {@code /} between its segments. */
    public String path() {
        return String.join("/", segments);
    }

    /** The way to the place at {@code depth} segments below the top. */
    List<String> upTo(int depth) {
        return segments.subList(0, depth);
    }

    /** The name as messages show it. */
    public String shown() {
        return ShownName.of(path());
    }
}
