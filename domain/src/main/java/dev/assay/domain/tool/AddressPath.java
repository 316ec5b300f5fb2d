package dev.assay.domain.tool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The path of an address as servers may read it: as it is sent, and decoded once, twice and three times. Servers and the proxies
 * before them decode differently often, so a path must be harmless in each of these forms.
 */
final class AddressPath {

    /** How often a path may change by being decoded. */
    private static final int MAX_DECODED = 3;

    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");
    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    /** A backslash, U+0000, or a byte that begins an overlong form of UTF-8. */
    private static final Pattern CHARACTER = Pattern.compile("[\\\\\\x00\\xC0\\xC1]");

    /** A segment that names this directory or the one above, also with blanks around the dots or with parameters. */
    private static final Pattern DOTS = Pattern.compile("[ \\t\\r\\n]*\\.{1,2}[ \\t\\r\\n]*(?:;.*)?", Pattern.DOTALL);

    private AddressPath() {}

    /** The problem with {@code path} in one of its forms, as the end of a sentence; null: none. Linear in its length. */
    static @Nullable String problem(String path) {
        if (BROKEN_ESCAPE.matcher(path).find()) {
            return "must have two hexadecimal digits behind each % of its path";
        }
        List<String> forms = new ArrayList<>(List.of(octets(path)));
        for (String next = decoded(forms.getLast()); !next.equals(forms.getLast()); next = decoded(next)) {
            if (forms.size() > MAX_DECODED) {
                return "must not have a path that is encoded more than " + MAX_DECODED + " times";
            }
            forms.add(next);
        }
        return forms.stream()
                .map(AddressPath::problemOfForm)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Whether {@code path} begins with the segments of {@code allowed}, each decoded once; slashes at its end count for nothing. */
    static boolean isBelow(String allowed, String path) {
        List<String> wanted = segments(withoutLastSlashes(allowed));
        List<String> segments = segments(path);
        return segments.size() >= wanted.size()
                && segments.subList(0, wanted.size()).equals(wanted);
    }

    private static @Nullable String problemOfForm(String form) {
        if (CHARACTER.matcher(form).find()) {
            return "must not have a backslash, U+0000 or an overlong form of UTF-8 in its path, however it is encoded";
        }
        return Arrays.stream(form.split("/", -1))
                        .anyMatch(segment -> DOTS.matcher(segment).matches())
                ? "must not have . or .. as a path segment, however it is encoded"
                : null;
    }

    private static List<String> segments(String path) {
        return Arrays.stream(octets(path).split("/", -1))
                .map(AddressPath::decoded)
                .toList();
    }

    private static String withoutLastSlashes(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    /** The UTF-8 of {@code text}, each byte as the character of its number. */
    private static String octets(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String decoded(String octets) {
        return ESCAPE.matcher(octets)
                .replaceAll(escape ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
    }
}
