package dev.assay.web.outcome;

import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.judge.ParsedReply;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The vote of one judge on the responses that it compared, over all orders in which it saw them.
 *
 * @param judge its place among the judges, from 0
 * @param compared the branches whose responses it compared
 * @param result whether it has a vote; without one it could not decide or was left out
 * @param choice the branch that it votes for; null: none
 * @param tied the branches that it named most often when it could not decide; else empty
 * @param readings what was understood of its calls, in order
 */
@Schema(name = "JudgeVote")
public record VoteView(
        int judge,
        List<String> compared,
        JudgeVote.Result result,
        @Nullable String choice,
        List<String> tied,
        List<ReadingView> readings) {

    public VoteView {
        compared = List.copyOf(compared);
        tied = List.copyOf(tied);
        readings = List.copyOf(readings);
    }

    static VoteView of(JudgeVote vote, CampaignDefinition definition) {
        return new VoteView(
                vote.judge(),
                BranchIds.of(vote.compared(), definition),
                vote.result(),
                BranchIds.of(vote.choice(), definition),
                BranchIds.of(vote.tied(), definition),
                vote.readings().stream()
                        .map(reading -> ReadingView.of(reading, definition))
                        .toList());
    }

    /**
     * The reading of one judge call and, when its reply was not valid, of the repair.
     *
     * @param member number of the call in its trial; for a repaired one, of the first call
     * @param shown branches in the order in which their responses were shown
     * @param path how the choice was found; FALLBACK and FAILED: not at all
     * @param choice the branch that the judge named; null: none
     * @param scores what the judge gave each response, in the order shown, 0 to 10; empty where it gave none
     * @param reason why, in the judge's words, or why there is no choice; null: the reply says it
     */
    @Schema(name = "JudgeReading")
    public record ReadingView(
            int member,
            List<String> shown,
            ParsedReply.Path path,
            @Nullable String choice,
            List<Double> scores,
            @Nullable String reason) {

        public ReadingView {
            shown = List.copyOf(shown);
            scores = List.copyOf(scores);
        }

        static ReadingView of(ParsedReply reading, CampaignDefinition definition) {
            return new ReadingView(
                    reading.slot(),
                    BranchIds.of(reading.shown(), definition),
                    reading.path(),
                    BranchIds.of(reading.choice(), definition),
                    reading.scores(),
                    reading.reason());
        }
    }
}
