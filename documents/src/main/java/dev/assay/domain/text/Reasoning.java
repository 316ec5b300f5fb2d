package dev.assay.domain.text;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reasoning that some models write before their reply, as in {@code <think> … </think> 2}. */
public final class Reasoning {

    private static final Pattern OPENING = Pattern.compile(
            "\\s*<(think|thinking|reasoning)>", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CHARACTER_CLASS);

    private Reasoning() {}

    /** {@code reply} behind all blocks of reasoning that it begins with; empty: one of them does not end. */
    public static Optional<String> behind(String reply) {
        int from = 0;
        Matcher opening = OPENING.matcher(reply);
        while (opening.region(from, reply.length()).lookingAt()) {
            int end = end(reply, opening.group(1), opening.end());
            if (end < 0) {
                return Optional.empty();
            }
            from = end;
        }
        return Optional.of(reply.substring(from));
    }

    /** Where the block ends that begins at {@code from}, blocks of the same name within it included; −1: nowhere. */
    private static int end(String reply, String name, int from) {
        Matcher mark =
                Pattern.compile("<(/?)" + name + ">", Pattern.CASE_INSENSITIVE).matcher(reply);
        int open = 1;
        for (int at = from; mark.find(at); at = mark.end()) {
            open += mark.group(1).isEmpty() ? 1 : -1;
            if (open == 0) {
                return mark.end();
            }
        }
        return -1;
    }
}
