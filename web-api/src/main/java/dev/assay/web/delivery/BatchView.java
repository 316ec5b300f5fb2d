package dev.assay.web.delivery;

import dev.assay.store.delivery.ProviderBatch;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A batch of a provider.
 *
 * @param campaign whose cells are in it
 * @param kind of its cells: branch, judge or grade
 * @param state BUILDING, UPLOADED, SUBMITTING, SUBMITTED, UNCERTAIN, ENDED; then COLLECTED, REFUSED or ABANDONED
 * @param providerId the provider's name of it; null: not known
 * @param lines requests in it
 * @param out of these, the ones whose end is not recorded yet
 * @param answered lines with an answer
 * @param failed lines that the provider refused or failed
 * @param expired lines that it did not reach in time
 * @param canceled lines that it did not reach before it was cancelled
 * @param missing lines of which its files say nothing that can be read
 * @param duplicates result lines of requests that had ended
 * @param reservedUsd what its lines cost at most, in US dollars; null where no price is known
 * @param costUsd what its answers cost so far, in US dollars; null where no cost is known
 * @param submittedAt when it was known that the provider has it; null: it is not
 * @param expiresAt when the provider gives up; null: it does not say
 * @param nextPollAt when it is looked at next; null: it is not
 * @param error what went wrong with it last; null: nothing
 */
@Schema(name = "ProviderBatch")
record BatchView(
        String id,
        String campaign,
        String provider,
        String model,
        String kind,
        String state,
        @Nullable String providerId,
        int lines,
        int out,
        int answered,
        int failed,
        int expired,
        int canceled,
        int missing,
        int duplicates,
        @Nullable BigDecimal reservedUsd,
        @Nullable BigDecimal costUsd,
        Instant createdAt,
        @Nullable Instant submittedAt,
        @Nullable Instant expiresAt,
        @Nullable Instant nextPollAt,
        @Nullable BatchError error) {

    /**
     * What went wrong.
     *
     * @param code null: it has none
     */
    @Schema(name = "ProviderBatchError")
    record BatchError(@Nullable String code, String message) {}

    static BatchView of(ProviderBatch batch) {
        ProviderBatch.Problem problem = batch.error();
        return new BatchView(
                batch.id(),
                batch.of().campaignId(),
                batch.of().provider(),
                batch.of().model(),
                batch.of().kind(),
                batch.state().name(),
                batch.provided().providerId(),
                batch.size().lines(),
                batch.linesOut(),
                batch.counts().answered(),
                batch.counts().failed(),
                batch.counts().expired(),
                batch.counts().canceled(),
                batch.counts().missing(),
                batch.counts().duplicates(),
                batch.size().reservedUsd(),
                batch.counts().costUsd(),
                batch.times().created(),
                batch.times().submitted(),
                batch.times().expires(),
                batch.times().nextPoll(),
                problem == null ? null : new BatchError(problem.code(), problem.message()));
    }
}
