package dev.assay.domain.judge;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one judge call and, when its reply was not valid, of the repair. Stored with the selection; the names are those of
 * its JSON.
 *
 * @param slot number of the call in its trial; for a repaired one, of the first call
 * @param shown branch indexes in the order in which their responses were shown
 * @param choice the branch that the judge named; null: none
 * @param scores what the judge gave each response, in the order shown, 0–10; empty where it gave none
 * @param reason why, in the judge's words, or why there is no choice; null: the reply says it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ParsedReply(
        @JsonProperty("member") int slot,
        List<Integer> shown,
        Path path,
        @Nullable Integer choice,
        List<Double> scores,
        @Nullable String reason) {

    /** The way in which a choice was found. */
    public enum Path {
        /** The number in the reply. */
        PLAIN,
        /** A JSON object that was valid at once. */
        STRUCTURED,
        /** A JSON object that was valid when the reply was asked for again. */
        REPAIRED,
        /** Not at all: the replies name no response, or several. */
        FALLBACK,
        /** Not at all: the call failed or was skipped. */
        FAILED
    }

    public ParsedReply {
        shown = List.copyOf(shown);
        scores = List.copyOf(scores);
    }
}
