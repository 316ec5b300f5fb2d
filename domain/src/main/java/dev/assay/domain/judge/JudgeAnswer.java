package dev.assay.domain.judge;

import dev.assay.domain.error.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A judge call that was made.
 *
 * @param slot number of the call in its trial, from 0
 * @param shown branch indexes in the order in which their responses were shown
 * @param reply what the judge said; null when it failed or was skipped
 * @param failure why there is no reply; null when there is one
 * @param isFinal whether it will not be asked again
 */
public record JudgeAnswer(
        int slot,
        List<Integer> shown,
        @Nullable String reply,
        @Nullable Failure failure,
        boolean isFinal) {

    public JudgeAnswer {
        shown = List.copyOf(shown);
        if ((reply == null) == (failure == null)) {
            throw new IllegalArgumentException("Judge call " + slot + " has a reply or a failure");
        }
    }
}
