package dev.assay.domain.promptfoo;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A list in one text: commas between its items, which may stand in quotes. */
final class CommaList {

    private static final Pattern ITEM =
            Pattern.compile("[\\s,]*+(?:\"((?:[^\"\\\\]|\\\\.|\"\")*+)\"\\s*+(?=,|$)|([^,]++))", Pattern.DOTALL);

    private CommaList() {}

    static List<String> read(String text) {
        List<String> items = new ArrayList<>();
        Matcher item = ITEM.matcher(text);
        while (item.lookingAt()) {
            String quoted = item.group(1);
            String plain = quoted == null ? item.group(2).strip() : quoted.replaceAll("\\\\(.)|\"(\")", "$1$2");
            if (quoted != null || !plain.isEmpty()) {
                items.add(plain);
            }
            item.region(item.end(), text.length());
        }
        return items;
    }
}
