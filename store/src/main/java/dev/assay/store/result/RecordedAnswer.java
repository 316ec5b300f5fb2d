package dev.assay.store.result;

import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a model was asked and answered in a campaign, from which a cassette is made. */
public sealed interface RecordedAnswer {

    /** Which repetition of the case, from 1. */
    int trial();

    /** Tokens as the provider counted them. */
    Usage usage();

    /** What it cost in US dollars; null where no price is known. */
    @Nullable
    BigDecimal costUsd();

    /** Milliseconds from the first request to the last answer. */
    long latencyMs();

    /**
     * A branch's completed outcome.
     *
     * @param branchIndex 0-based, into the campaign's branches
     * @param context the case's messages before the prompt
     * @param newMessages what the branch added, the prompt first
     */
    record OfBranch(
            int branchIndex,
            int caseIndex,
            int trial,
            List<Message> context,
            List<Message> newMessages,
            Usage usage,
            @Nullable BigDecimal costUsd,
            long latencyMs)
            implements RecordedAnswer {

        public OfBranch {
            context = List.copyOf(context);
            newMessages = List.copyOf(newMessages);
        }
    }

    /**
     * A judge's completed call.
     *
     * @param slot number of the call in its trial, from 0
     * @param systemPrompt what the judge was told
     * @param prompt what it was asked
     * @param reply what it said
     */
    record OfJudge(
            int slot,
            int caseIndex,
            int trial,
            String systemPrompt,
            String prompt,
            String reply,
            Usage usage,
            @Nullable BigDecimal costUsd,
            long latencyMs)
            implements RecordedAnswer {}
}
