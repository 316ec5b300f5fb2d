package dev.assay.domain.judge;

import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.compaction.JudgeCompaction;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Exactly what a judge reads. Previews show it, judge calls send it, and the store keeps it; the names are those of its JSON.
 *
 * @param warning set when even the largest cut is over the budget: branch count, estimated tokens, budget; null: it fits
 */
public record JudgePreview(
        String systemPrompt,
        String prompt,
        Compaction compaction,
        @Nullable String warning) {

    /** The prompt of the judge of a request. */
    public static JudgePreview of(JudgePreviewRequest request) {
        return of(
                request.conversation(),
                request.responses(),
                request.maxContextTokens(),
                request.systemPrompt(),
                request.format());
    }

    /**
     * The prompt about {@code responses}.
     *
     * @param maxContextTokens window of the judge, at least 0; null: nothing is cut
     * @param systemPrompt of the judge; null: the built-in prompt
     */
    public static JudgePreview of(
            Conversation conversation,
            List<String> responses,
            @Nullable Integer maxContextTokens,
            @Nullable String systemPrompt,
            JudgeFormat format) {
        JudgeCompaction.Result compacted =
                JudgeCompaction.compact(conversation.priorContext(), responses, maxContextTokens);
        return new JudgePreview(
                systemPrompt == null ? JudgePrompt.builtInSystemPrompt(format) : systemPrompt,
                JudgePrompt.build(format, compacted.context(), conversation.query(), compacted.responses()),
                compacted.compaction(),
                compacted.compaction().satisfied() ? null : warning(responses.size(), compacted.compaction()));
    }

    /**
     * The prompt when the judge's reply was not valid.
     *
     * @param problem what is wrong with {@code reply}, a sentence
     */
    public JudgePreview repair(String reply, String problem) {
        return new JudgePreview(systemPrompt, JudgePrompt.repair(prompt, reply, problem), compaction, warning);
    }

    private static String warning(int branches, Compaction compaction) {
        return String.format(
                Locale.ROOT,
                "The judge reads the responses of %d %s and their context in an estimated %d tokens, more than its"
                    + " budget of %d, although everything was cut as far as it goes. Raise maxContextTokens or shorten"
                    + " the texts.",
                branches,
                branches == 1 ? "branch" : "branches",
                compaction.tokensAfter(),
                compaction.budget());
    }
}
