package dev.assay.domain.account;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.delivery.DeliveryChoice;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.health.CampaignHealth;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a campaign, and what to do. The API, the command line, the pages and notifications say this and nothing else, so
 * that none of them contradicts another. The names are part of the API and never change.
 *
 * @param verdict what the gate said; null until it is COMPLETED
 * @param rule the sentence that names the rule that decided; null until it is COMPLETED
 * @param errors by code, the ones with which most cells ended first
 * @param providers each that it asks, once
 * @param branches in order
 * @param paused who paused it; null: it is not paused
 * @param rate cells that were closed a second, of late; null: it does not run
 * @param inFlight calls that have a permit, as workers said seconds ago; at most {@code maxConcurrent}
 * @param maxConcurrent calls in flight, the limit in force
 * @param eta when no cell will be open; null: not known
 * @param etaReason why that is not known; null: it is
 * @param spentUsd settled calls, and those of workers that died at their worst case; in US dollars, null where no price is known
 * @param reservedUsd worst case of the calls in flight, in US dollars; null where no price is known
 * @param budgetUsd what all calls together may cost, in US dollars; null: no budget
 * @param reused stored answers that stand in for new ones
 * @param outWith with whom cells are out in batches; empty: none is out
 * @param choices how branches with {@code delivery: auto} are asked, and why; empty: there is none, or nothing is chosen yet
 * @param next what to do, as a command without the options that say where the campaign is
 */
public record CampaignAccount(
        CampaignState state,
        @Nullable Verdict verdict,
        @Nullable String rule,
        Cells cells,
        List<ErrorCount> errors,
        List<ProviderStanding> providers,
        List<BranchStanding> branches,
        CampaignHealth health,
        @Nullable Pause paused,
        @Nullable Double rate,
        long inFlight,
        int maxConcurrent,
        @Nullable Instant eta,
        @Nullable EtaReason etaReason,
        @Nullable BigDecimal spentUsd,
        @Nullable BigDecimal reservedUsd,
        @Nullable BigDecimal budgetUsd,
        Reused reused,
        List<OutWith> outWith,
        List<DeliveryChoice> choices,
        String next) {

    public CampaignAccount {
        errors = List.copyOf(errors);
        providers = List.copyOf(providers);
        branches = List.copyOf(branches);
        // A server of an earlier build says nothing of them.
        outWith = outWith == null ? List.of() : List.copyOf(outWith);
        choices = choices == null ? List.of() : List.copyOf(choices);
        if ((eta == null) == (etaReason == null)) {
            throw new IllegalArgumentException("An end is expected, or there is a reason why none is");
        }
    }

    /**
     * The cells. All of them are done, open, skipped or not needed.
     *
     * @param done with a final outcome
     * @param open without one, and still to be asked
     * @param held of those that are open, the ones that wait for a provider
     * @param skipped not asked, since the budget does not cover them; a larger one opens them
     * @param notNeeded not asked, since the campaign stopped early
     * @param rerun that a re-run asked again, whatever became of them
     * @param out of those that are open, the ones that are out in batches of providers
     */
    public record Cells(long done, long open, long held, long skipped, long notNeeded, long rerun, long out) {

        public Cells {
            boolean isNegative =
                    done < 0 || open < 0 || held < 0 || skipped < 0 || notNeeded < 0 || rerun < 0 || out < 0;
            if (isNegative || held > open || out > open) {
                throw new IllegalArgumentException("Cells are no negative number, and held ones are open");
            }
        }

        /** Cells of which none is out. */
        public Cells(long done, long open, long held, long skipped, long notNeeded, long rerun) {
            this(done, open, held, skipped, notNeeded, rerun, 0);
        }

        /** The same, of which so many are out in batches. */
        public Cells outIn(long batches) {
            return new Cells(done, open, held, skipped, notNeeded, rerun, Math.min(batches, open));
        }

        /**
         * Counts that were read one after the other, made to agree: what has been done meanwhile is not skipped, or open.
         *
         * @param total of the campaign
         */
        public static Cells of(long total, long done, long notNeeded, long skipped, long rerun) {
            long left = Math.max(0, total - done - notNeeded);
            long without = Math.min(skipped, left);
            return new Cells(done, left - without, 0, without, notNeeded, rerun);
        }

        /** The same, of which so many wait for a provider. */
        Cells holding(long waiting) {
            return new Cells(done, open, Math.min(waiting, open), skipped, notNeeded, rerun, out);
        }

        /** Of the campaign. */
        public long total() {
            return done + open + skipped + notNeeded;
        }
    }

    /**
     * Stored answers that stand in for new ones. Nobody was asked for them, and they cost nothing again.
     *
     * @param cells of branches
     * @param calls of judges and graders
     * @param savedUsd what they cost when they were given, in US dollars; null where no cost is known
     */
    public record Reused(long cells, long calls, @Nullable BigDecimal savedUsd) {

        /** Every answer was asked for. */
        public static final Reused NONE = new Reused(0, 0, null);
    }

    /**
     * A provider with which cells are out.
     *
     * @param batches in which they are
     * @param cells that are out
     * @param answered requests of these batches that the provider says it has finished
     */
    public record OutWith(String provider, int batches, long cells, long answered) {

        /** Both together, of the same provider. */
        OutWith and(OutWith other) {
            return new OutWith(provider, batches + other.batches, cells + other.cells, answered + other.answered);
        }
    }

    /**
     * An error.
     *
     * @param code its code; a later build may know more
     * @param ended cells that ended with it
     * @param attempts attempts that failed with it and are made again: the cells that wait for that
     * @param newest the newest words of a cell that ended with it; null: none did
     */
    public record ErrorCount(
            String code,
            @JsonProperty("final") long ended,
            long attempts,
            @Nullable String newest) {}

    /**
     * A provider that the campaign asks.
     *
     * @param held cells that wait for it
     */
    public record ProviderStanding(String name, ProviderState state, long held) {}

    /** The state of a provider, from good to bad. */
    public enum ProviderState {
        /** It holds nothing up. */
        OK,
        /** Cells wait for its rate, its units or its permits. They go on by themselves. */
        LIMITED,
        /** It does not answer. */
        DOWN,
        /** Its keys are refused, have no money left, or are missing: a person must act. */
        NO_KEY
    }

    /**
     * A branch.
     *
     * @param done cells with a final outcome
     * @param passed cells that passed; of one that was asked again the first draw counts
     * @param low lower end of the interval of its pass rate, 0–1
     * @param high upper end
     * @param errors cells that ended in an error
     * @param errorCodes how many of them have which code, the most frequent first
     * @param costUsd known cost in US dollars; null where no price is known
     */
    public record BranchStanding(
            String id,
            long done,
            long passed,
            double low,
            double high,
            long errors,
            Map<String, Long> errorCodes,
            @Nullable BigDecimal costUsd) {

        public BranchStanding {
            errorCodes = Collections.unmodifiableMap(new LinkedHashMap<>(errorCodes));
        }
    }

    /**
     * A pause.
     *
     * @param who a token's name, {@code local} or {@code command}; {@code assay}: Assay itself; null: not known
     * @param reason why; null: a person paused it, who gave none
     */
    public record Pause(@Nullable String who, @Nullable String reason, Instant at) {

        /** The name of Assay among those who pause campaigns. */
        public static final String ASSAY = "assay";
    }
}
