package dev.assay.domain.check.text;

import java.util.Arrays;

/** Levenshtein's distance: how many UTF-16 code units must be inserted, removed or exchanged to make one text of another. */
final class EditDistance {

    private EditDistance() {}

    /**
     * The distance, or {@code limit + 1} where it is more than {@code limit}. Only places at most {@code limit} apart are compared,
     * so that it takes the length of a text times {@code limit}.
     */
    static int within(String one, String other, int limit) {
        if (Math.abs(one.length() - other.length()) > limit) {
            return limit + 1;
        }
        int[] above = new int[other.length() + 1];
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < above.length; j++) {
            above[j] = Math.min(j, limit + 1);
        }
        for (int i = 1; i <= one.length(); i++) {
            int from = Math.max(1, i - limit);
            int to = Math.min(other.length(), i + limit);
            Arrays.fill(row, Math.max(0, from - 1), Math.min(to + 2, row.length), limit + 1);
            if (from == 1) {
                row[0] = Math.min(i, limit + 1);
            }
            for (int j = from; j <= to; j++) {
                int exchanged = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(exchanged, Math.min(above[j], row[j - 1]) + 1);
            }
            int[] done = above;
            above = row;
            row = done;
        }
        return Math.min(above[other.length()], limit + 1);
    }
}
