package dev.assay.domain.pattern;

/** Finds the end of a character class as {@link java.util.regex.Pattern} does. */
final class PatternClass {

    /** Escapes that stand for many characters, and so begin no range. */
    private static final String SETS = "DHSVWdhswpP";

    private final PatternText text;

    private PatternClass(PatternText text) {
        this.text = text;
    }

    /**
     * Takes a class whose opening bracket was taken.
     *
     * @return how many characters it has
     */
    static int skip(PatternText text) {
        int from = text.position();
        new PatternClass(text).skip(1);
        return text.position() - from;
    }

    private void skip(int depth) {
        if (depth > PatternReader.MAX_DEPTH) {
            throw text.refused("Brackets are nested more than " + PatternReader.MAX_DEPTH + " deep");
        }
        if (text.isRaw('^')) {
            text.next();
        }
        // A bracket that closes before anything else stands for itself.
        boolean empty = true;
        while (empty || !text.takes(']')) {
            if (text.takes('[')) {
                skip(depth + 1);
            } else {
                item();
            }
            empty = false;
        }
    }

    /** A character, a range, a set, or the sign of an intersection, behind which a bracket closes. */
    private void item() {
        int first = text.peek();
        if (first == PatternText.END) {
            throw text.refused(PatternText.UNKNOWN);
        }
        text.next();
        if (first == '&') {
            text.refuseComment();
            if (text.takes('&')) {
                return;
            }
        }
        if (first == '\\' && isSet()) {
            return;
        }
        range();
    }

    private boolean isSet() {
        int letter = text.escaped();
        boolean vertical = letter == 'v' && !text.isRaw('-');
        text.skipRestOfEscape(letter);
        return vertical || SETS.indexOf(letter) >= 0;
    }

    private void range() {
        if (!text.takes('-')) {
            return;
        }
        text.refuseComment();
        if (text.isRaw('[') || text.isRaw(']')) {
            // The hyphen stands for itself.
            return;
        }
        int last = text.raw();
        if (last == '\\') {
            text.skipRestOfEscape(text.escaped());
        }
    }
}
