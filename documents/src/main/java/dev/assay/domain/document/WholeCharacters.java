package dev.assay.domain.document;

import java.io.Reader;

/**
 * Reads a text, never ending on the first half of a surrogate pair while the other half follows. The YAML parser reads that
 * half past the end of its buffer, and fails.
 */
final class WholeCharacters extends Reader {

    private final String text;
    private int position;

    WholeCharacters(String text) {
        this.text = text;
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
        if (position == text.length()) {
            return -1;
        }
        // At least one place stays free for what the parser adds after a half that stands alone at the end.
        int end = Math.min(text.length(), position + Math.max(1, length - 1));
        if (end < text.length() && end - position > 1 && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        text.getChars(position, end, buffer, offset);
        int read = end - position;
        position = end;
        return read;
    }

    @Override
    public void close() {}
}
