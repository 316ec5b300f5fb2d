package dev.assay.domain.campaign;

import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePolicy;
import java.util.List;

/**
 * A property of a valid campaign that its author should know. The names are those of its JSON.
 *
 * @param message for people: what may happen, and what to write
 */
public record CampaignWarning(Code code, String message) {

    /** The kinds of warnings. The names are part of the API and are stored, and never change. */
    public enum Code {
        /** A judge reads answers of branches one below the other, and the file does not say that this is meant. */
        JUDGE_UNFENCED("An answer may hold the text `Response 2:`; `fence: true` marks where each begins.");

        private final String message;

        Code(String message) {
            this.message = message;
        }

        /** The warning. */
        public CampaignWarning warning() {
            return new CampaignWarning(this, message);
        }
    }

    /**
     * The warnings about a campaign file.
     *
     * @param saysFence whether its strategy says whether there is a fence
     */
    public static List<Code> of(CampaignDefinition definition, boolean saysFence) {
        JudgePolicy policy = definition.strategy().judging();
        boolean bare = policy != null
                && policy.format().reply() == JudgeFormat.Reply.PLAIN
                && !saysFence
                && definition.branches().size() > 1;
        return bare ? List.of(Code.JUDGE_UNFENCED) : List.of();
    }

    /** As a line for people begins: with the code. */
    public String text() {
        return code + ": " + message;
    }
}
