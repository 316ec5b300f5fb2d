package dev.assay.domain.gate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of another tool's file that an import left out. While there is one, the campaign asks less than the file did, so its
 * gate does not pass.
 *
 * @param cases that lost a required check
 * @param checks what these checks are, as the other tool calls them, each once, the first {@value #NAMED}
 * @param providers that are not in the campaign
 * @param prompts that are not in the campaign
 * @param tests that are not in the campaign; all tests of a program are one
 * @param settings without which models are asked otherwise
 */
public record LostParts(int cases, List<String> checks, int providers, int prompts, int tests, int settings) {

    /** The checks that are named. */
    public static final int NAMED = 5;

    /** Nothing was left out. */
    public static final LostParts NONE = new LostParts(0, List.of(), 0, 0, 0, 0);

    public LostParts {
        checks = checks == null ? List.of() : List.copyOf(checks);
        if (cases < 0 || providers < 0 || prompts < 0 || tests < 0 || settings < 0 || checks.size() > NAMED) {
            throw new IllegalArgumentException("Numbers of lost parts are at least 0, and " + NAMED + " are named");
        }
    }

    /** The same with what a suite lost. */
    public LostParts ofSuite(int lostCases, List<String> named) {
        return new LostParts(lostCases, named, providers, prompts, tests, settings);
    }

    /** The same; null: nothing was left out that decides. */
    public @Nullable LostParts orNull() {
        return equals(NONE) ? null : this;
    }

    /**
     * One sentence without its end, for people.
     *
     * @param allCases the cases of the campaign
     */
    public String text(int allCases) {
        List<String> parts = new ArrayList<>();
        if (cases > 0) {
            parts.add(cases + " of " + count(allCases, "case") + " lost a check: " + String.join(", ", checks)
                    + (checks.size() == NAMED ? ", …" : ""));
        }
        List<String> others = new ArrayList<>();
        add(providers, "provider", others);
        add(prompts, "prompt", others);
        add(tests, "test", others);
        add(settings, "setting", others);
        if (!others.isEmpty()) {
            parts.add("the import left out " + String.join(", ", others));
        }
        return String.join("; ", parts);
    }

    private static void add(int number, String what, List<String> parts) {
        if (number > 0) {
            parts.add(count(number, what));
        }
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
