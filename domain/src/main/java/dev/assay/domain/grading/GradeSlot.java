package dev.assay.domain.grading;

/**
 * The place of a grader's call among the calls of its trial. Judges and strategies have the numbers below {@link #FIRST}.
 *
 * @param branch whose response is graded, 0-based
 * @param check number of the check among the graded ones of its case, those of groups included, from 0; below {@link #MOST_CHECKS}
 * @param isRepair whether it asks again after a reply that cannot be used
 */
public record GradeSlot(int branch, int check, boolean isRepair) {

    /** The first number of a grader's call; persisted, so it never changes. */
    public static final int FIRST = 100_000_000;

    /** The most graded checks of a case. */
    public static final int MOST_CHECKS = 1_000;

    /** The slot of a number. */
    public static GradeSlot of(int number) {
        int place = number - FIRST;
        return new GradeSlot(place / 2 / MOST_CHECKS, place / 2 % MOST_CHECKS, place % 2 == 1);
    }

    /** Whether {@code number} is that of a grader's call. */
    public static boolean isOne(int number) {
        return number >= FIRST;
    }

    /** The call's number in its trial. */
    public int number() {
        return FIRST + (branch * MOST_CHECKS + check) * 2 + (isRepair ? 1 : 0);
    }

    GradeSlot repair() {
        return new GradeSlot(branch, check, true);
    }
}
