package dev.assay.work.archive;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Names of strangers as messages show them: as escapes where a terminal would obey or hide them, and cut. */
final class ShownName {

    private static final int MOST = 200;

    private ShownName() {}

    /** The beginning of {@code name}, in which each byte that is no UTF-8 stands as {@code \xff}. */
    static String of(byte[] name) {
        String text = decoded(name, name.length);
        if (text != null) {
            return of(text);
        }
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < name.length && escaped.length() <= MOST; i++) {
            boolean plain = name[i] > 0;
            escaped.append(plain ? escape((char) name[i]) : "\\x%02x".formatted(name[i] & 0xff));
        }
        return cut(escaped);
    }

    /** The beginning of {@code name}. */
    static String of(String name) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < name.length() && escaped.length() <= MOST; ) {
            int codePoint = name.codePointAt(i);
            escaped.append(escape(codePoint));
            i += Character.charCount(codePoint);
        }
        return cut(escaped);
    }

    /** The text of the first {@code length} bytes; null where they are no UTF-8. */
    static @Nullable String decoded(byte[] bytes, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException _) {
            return null;
        }
    }

    private static String escape(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> escaped(codePoint);
            default -> codePoint == '\\' ? "\\\\" : Character.toString(codePoint);
        };
    }

    private static String escaped(int codePoint) {
        StringBuilder escaped = new StringBuilder();
        for (char unit : Character.toChars(codePoint)) {
            escaped.append("\\u%04x".formatted((int) unit));
        }
        return escaped.toString();
    }

    private static String cut(StringBuilder escaped) {
        if (escaped.length() <= MOST) {
            return escaped.toString();
        }
        int end = Character.isHighSurrogate(escaped.charAt(MOST - 2)) ? MOST - 2 : MOST - 1;
        return escaped.substring(0, end) + "…";
    }
}
