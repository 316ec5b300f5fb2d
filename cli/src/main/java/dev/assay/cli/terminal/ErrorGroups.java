package dev.assay.cli.terminal;

import dev.assay.domain.error.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Errors, warnings or notes for people. Those with the same sentence are one group, in the order of their first places.
 *
 * @param groups what is said once, and where
 */
public record ErrorGroups(List<Group> groups) {

    /** The places of a group that are named. */
    private static final int NAMED = 3;

    private static final Pattern ITEM = Pattern.compile("\\[[^]]*]$");

    public ErrorGroups {
        groups = List.copyOf(groups);
    }

    /**
     * One sentence.
     *
     * @param first the first error that says it
     * @param sentence without its place
     * @param places where, at most the first three
     * @param count how many places there are, at least 1
     */
    public record Group(FieldError first, String sentence, List<String> places, int count) {

        public Group {
            places = List.copyOf(places);
        }

        /** One line. */
        public String line() {
            if (count == 1) {
                return ErrorGroups.line(first);
            }
            return String.format(
                    Locale.ROOT,
                    "%s (%,d places: %s%s)",
                    sentence,
                    count,
                    String.join(", ", places),
                    count > places.size() ? ", …" : "");
        }
    }

    /** The groups of {@code errors}. */
    public static ErrorGroups of(List<FieldError> errors) {
        Map<String, List<FieldError>> bySentence = new LinkedHashMap<>();
        errors.forEach(error -> bySentence
                .computeIfAbsent(sentence(error), _ -> new ArrayList<>())
                .add(error));
        List<Group> groups = new ArrayList<>();
        bySentence.forEach((sentence, same) -> groups.add(new Group(
                same.getFirst(),
                sentence,
                same.stream().limit(NAMED).map(FieldError::path).toList(),
                same.size())));
        return new ErrorGroups(groups);
    }

    /**
     * A line for each group.
     *
     * @param each whether each error has a line of its own instead
     */
    public static List<String> lines(List<FieldError> errors, boolean each) {
        return each
                ? errors.stream().map(ErrorGroups::line).toList()
                : of(errors).groups().stream().map(Group::line).toList();
    }

    private static String line(FieldError error) {
        return error.path().isEmpty() ? error.message() : error.path() + ": " + error.message();
    }

    /** The sentence without the place: where it names its field by the whole path, the field's own name is enough. */
    private static String sentence(FieldError error) {
        String path = error.path();
        if (path.isEmpty() || !error.message().contains(path)) {
            return error.message();
        }
        String name = ITEM.matcher(path.substring(path.lastIndexOf('.') + 1)).replaceFirst("[…]");
        return error.message().replace("`" + path + "`", "`" + name + "`");
    }
}
