package dev.assay.cli.terminal;

import java.util.regex.Pattern;

/** Words of commands that people paste into a shell. */
public final class ShellWord {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+:,./-]+");

    private ShellWord() {}

    /** The text as one word: in quotes where a shell would read something else. */
    public static String of(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
