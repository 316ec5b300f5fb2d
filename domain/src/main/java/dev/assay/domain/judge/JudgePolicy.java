package dev.assay.domain.judge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way judges are asked, and the use of their replies. With one judge and every default this is the plain form of docs/judging.md:
 * one call, whose reply is a number.
 *
 * @param judges one judge, or the members of a panel
 * @param systemPrompt of the judges; null: the built-in prompt
 * @param format how responses are shown and what a reply looks like
 * @param swapPositions whether each order is judged a second time, reversed
 * @param rotate in how many rotated orders the responses are shown, 1–{@value #MAX_ROTATE}; 1: in branch order only
 * @param rotateByTrial whether the order in which responses are shown shifts by one with each trial of a case
 */
public record JudgePolicy(
        List<Judge> judges,
        @Nullable String systemPrompt,
        JudgeFormat format,
        boolean swapPositions,
        int rotate,
        boolean rotateByTrial,
        TiePolicy ties) {

    /** Most members of a panel. */
    public static final int MAX_PANEL = 10;

    /** Most rotated orders. */
    public static final int MAX_ROTATE = 10;

    public JudgePolicy {
        judges = List.copyOf(judges);
        if (judges.isEmpty() || judges.size() > MAX_PANEL) {
            throw new IllegalArgumentException("There are 1 to " + MAX_PANEL + " judges, not " + judges.size());
        }
        if (rotate < 1 || rotate > MAX_ROTATE) {
            throw new IllegalArgumentException("Responses are rotated 1 to " + MAX_ROTATE + " times, not " + rotate);
        }
    }

    /** The plain form: {@code judge} is asked once. */
    public static JudgePolicy plain(Judge judge, @Nullable String systemPrompt) {
        return new JudgePolicy(List.of(judge), systemPrompt, JudgeFormat.PLAIN, false, 1, false, TiePolicy.UNDECIDED);
    }

    /**
     * The judge of a call of a trial.
     *
     * @param slot number of the call in its trial, from 0
     */
    public Judge judgeOf(int slot) {
        return judges.get(slot % judges.size());
    }

    /**
     * The order in which a trial shows responses first.
     *
     * @param branches in branch order
     * @param trial which repetition of the case, from 1
     */
    public List<Integer> shown(List<Integer> branches, int trial) {
        List<Integer> shown = new ArrayList<>(branches);
        if (rotateByTrial) {
            Collections.rotate(shown, -((trial - 1) % shown.size()));
        }
        return shown;
    }

    /** Whether several judges are asked. */
    public boolean isPanel() {
        return judges.size() > 1;
    }
}
