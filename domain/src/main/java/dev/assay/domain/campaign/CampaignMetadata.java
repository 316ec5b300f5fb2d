package dev.assay.domain.campaign;

import dev.assay.domain.text.Excerpt;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the author of a campaign notes of it, such as the commit that it measures. It is no part of the definition: comparisons and
 * cassettes never see it.
 *
 * @param values by their names, in their order; at most 32
 */
public record CampaignMetadata(Map<String, String> values) {

    /** Nothing. */
    public static final CampaignMetadata NONE = new CampaignMetadata(Map.of());

    private static final int MOST = 32;
    private static final int LONGEST = 255;
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._/-]{0,62}");

    public CampaignMetadata {
        SortedMap<String, String> sorted = new TreeMap<>(values);
        String wrong = countProblem(sorted.size());
        for (Map.Entry<String, String> value : sorted.entrySet()) {
            wrong = wrong == null ? problem(value.getKey(), value.getValue()) : wrong;
        }
        if (wrong != null) {
            throw new IllegalArgumentException(wrong);
        }
        values = Collections.unmodifiableSortedMap(sorted);
    }

    /** The problem with this number of names; null: none. */
    public static @Nullable String countProblem(int names) {
        return names <= MOST ? null : "`metadata` has " + names + " names; keep at most " + MOST + ".";
    }

    /** The problem with a name and its value; null: none. */
    public static @Nullable String problem(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            return "The name `" + Excerpt.of(name) + "` must have 1-63 of the characters a-z, 0-9, `.`, `_`, `/` and"
                    + " `-`, and begin with a letter or a digit.";
        }
        int length = value.codePointCount(0, value.length());
        return length >= 1 && length <= LONGEST
                ? null
                : "The value of `" + name + "` must have 1-" + LONGEST + " characters, but has " + length + ".";
    }
}
