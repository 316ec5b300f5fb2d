package dev.assay.domain.judge;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A judge call that is to be made.
 *
 * @param slot number of the call in its trial, from 0; it also says which judge is asked
 *     ({@link dev.assay.domain.judge.JudgePolicy#judgeOf})
 * @param shown branch indexes in the order in which their responses are shown
 * @param repair the invalid reply that it asks to be given again; null: there is none
 * @param again whether it asks for a JSON object, since the plain reply named no single response
 */
public record JudgeQuestion(
        int slot, List<Integer> shown, @Nullable Repair repair, boolean again) {

    public JudgeQuestion {
        shown = List.copyOf(shown);
    }

    /** A question in the form of its policy. */
    public JudgeQuestion(int slot, List<Integer> shown, @Nullable Repair repair) {
        this(slot, shown, repair, false);
    }

    /** The form in which it is asked. */
    public JudgeFormat format(JudgePolicy policy) {
        return again ? policy.format().structured() : policy.format();
    }

    /**
     * A reply that was not valid.
     *
     * @param problem what is wrong with it, a sentence
     */
    public record Repair(String reply, String problem) {}
}
