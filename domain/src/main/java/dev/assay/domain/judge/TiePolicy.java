package dev.assay.domain.judge;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The resolution of a tie: no response was found better than the others that lead. Users write it as {@code ties}. */
public enum TiePolicy {
    /** The first of the tied branches is taken as a fallback; it is the only rule by which a tie counts as no win. */
    UNDECIDED("undecided"),
    /** The first of the tied branches wins. */
    FIRST("first"),
    /** The tied branch with the fewest tokens wins; the first of equals. */
    TOKEN_EFFICIENT("token-efficient"),
    /** The tied branch that cost least wins, the first of equals; undecided where a tied branch's cost is not known. */
    LOWEST_COST("lowest-cost");

    /** The rules by the words that users write. */
    public static final Map<String, TiePolicy> WORDS = Arrays.stream(values())
            .collect(Collectors.toMap(TiePolicy::word, policy -> policy, (a, b) -> a, LinkedHashMap::new));

    private final String word;

    TiePolicy(String word) {
        this.word = word;
    }

    /** The word that users write. */
    public String word() {
        return word;
    }
}
