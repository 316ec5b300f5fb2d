package dev.assay.domain.health;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.LostTime;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.outage.Outage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The facts from which a campaign's health is judged.
 *
 * @param failureReason why it could not go on; null unless FAILED, PAUSED by Assay, or ended in Temporal
 * @param cells how many it has open, and what these do
 * @param retries open cells that wait for the time of their next attempt, by what failed
 * @param spend what is known of its spend
 * @param kills what compute processes were killed over
 * @param outages whom it asks and who is down
 * @param idle since anything of it was recorded or its state changed, by PostgreSQL's clock
 */
public record HealthFacts(
        CampaignState state,
        @Nullable String failureReason,
        Driver driver,
        Cells cells,
        List<Retry> retries,
        Workers workers,
        Spend spend,
        Store store,
        Kills kills,
        Outages outages,
        Duration idle) {

    public HealthFacts {
        retries = List.copyOf(retries);
    }

    /** The same facts with another driver. */
    public HealthFacts drivenBy(Driver other) {
        return new HealthFacts(
                state, failureReason, other, cells, retries, workers, spend, store, kills, outages, idle);
    }

    /**
     * The same facts after an operator ended its workflow.
     *
     * @param reason what happened and what to do
     */
    public HealthFacts endedInTemporal(String reason) {
        return new HealthFacts(
                state, reason, Driver.ENDED, cells, retries, workers, spend, store, kills, outages, idle);
    }

    /** The same facts of a campaign of which cells are out in batches of providers. */
    public HealthFacts outIn(List<OutBatch> batches) {
        return new HealthFacts(
                state,
                failureReason,
                driver,
                cells.outIn(batches),
                retries,
                workers,
                spend,
                store,
                kills,
                outages,
                idle);
    }

    /** The same facts with what PostgreSQL refuses now. */
    public HealthFacts refusedBy(@Nullable StoreRefusal refusal) {
        Store now = new Store(refusal, store.unstored(), store.unstoredUsd());
        return new HealthFacts(state, failureReason, driver, cells, retries, workers, spend, now, kills, outages, idle);
    }

    /** The state of the campaign's workflow in Temporal. */
    public enum Driver {
        /** It runs. */
        RUNNING,
        /** It runs, but a task of it fails again and again. */
        BLOCKED,
        /** There is none, or it has ended. */
        MISSING,
        /** An operator ended it in Temporal, and nothing was asked of the campaign since. */
        ENDED,
        /** Temporal does not answer. */
        UNREACHABLE
    }

    /**
     * Cells of the campaign, as live workers reported them seconds ago.
     *
     * @param open cells without a final outcome
     * @param maxConcurrent how many permits the campaign may have
     * @param forPermit cells that wait for a permit, by provider
     * @param forBudget cells that wait until calls in flight have freed some of the budget
     * @param limits of providers whose permits cells wait for, where calls wait for units
     * @param blocked providers that refused calls for now, at most one for each group of models
     * @param out batches of providers in which some of the open ones are
     */
    public record Cells(
            long open,
            long calling,
            int maxConcurrent,
            List<Pool> forPermit,
            long forBudget,
            List<Limit> limits,
            List<Blocked> blocked,
            List<OutBatch> out) {

        public Cells {
            forPermit = List.copyOf(forPermit);
            limits = List.copyOf(limits);
            blocked = List.copyOf(blocked);
            out = List.copyOf(out);
        }

        /** Cells that wait for no units. */
        public Cells(long open, long calling, int maxConcurrent, List<Pool> forPermit, long forBudget) {
            this(open, calling, maxConcurrent, forPermit, forBudget, List.of(), List.of(), List.of());
        }

        /** The providers for whose permits cells wait. */
        public List<String> awaited() {
            return forPermit.stream().map(Pool::provider).toList();
        }

        /** The same with what holds calls up that could have a permit. */
        public Cells limitedBy(List<Limit> some, List<Blocked> refusing) {
            return new Cells(open, calling, maxConcurrent, forPermit, forBudget, some, refusing, out);
        }

        /** The same, of which some are out in batches. */
        Cells outIn(List<OutBatch> batches) {
            return new Cells(open, calling, maxConcurrent, forPermit, forBudget, limits, blocked, batches);
        }

        /** Cells that wait for a permit of a provider. */
        public long waitingFor(String provider) {
            return forPermit.stream()
                    .filter(pool -> pool.provider().equals(provider))
                    .mapToLong(Pool::waiting)
                    .sum();
        }

        /** Cells that wait for a permit, of any provider. */
        long waitingForPermit() {
            return forPermit.stream().mapToLong(Pool::waiting).sum();
        }
    }

    /**
     * A provider that refused calls for now.
     *
     * @param until nothing is sent before
     */
    public record Blocked(String provider, Instant until) {}

    /**
     * The permits of a provider.
     *
     * @param waiting cells of the campaign that wait for one
     * @param calling cells of all campaigns that have one
     * @param permits how many there are; null: no bound
     */
    public record Pool(
            String provider,
            long waiting,
            long calling,
            @Nullable Integer permits) {

        /** Whether all of its permits are in use. */
        public boolean full() {
            return permits != null && calling >= permits;
        }
    }

    /**
     * A limit of a provider that holds calls, those of other campaigns included.
     *
     * @param kind which limit holds the first of them
     * @param units that it allows in its period
     * @param waiting calls of all campaigns that wait for units
     * @param sinceGrant since the last of them went
     * @param setBy who set it by hand and why, for people; null: nobody did
     */
    public record Limit(
            String provider,
            String models,
            LimitKind kind,
            long units,
            long waiting,
            Duration sinceGrant,
            @Nullable String setBy) {

        /** What it allows, in words. */
        String allowed() {
            String what = switch (kind.unit()) {
                case REQUESTS -> "requests";
                case INPUT -> "tokens of input";
                case OUTPUT -> "tokens of output";
                case TOKENS -> "tokens";
            };
            String period = switch (kind.period()) {
                case MINUTE -> "a minute";
                case DAY -> "a day";
            };
            return String.format(Locale.ROOT, "%,d %s %s", units, what, period);
        }
    }

    /**
     * Cells that wait for the time of their next attempt.
     *
     * @param next when the first of them may be tried again
     */
    public record Retry(ErrorCode code, String provider, long cells, Instant next) {

        /** These and others of the same code and provider. */
        public Retry plus(Retry other) {
            return new Retry(code, provider, cells + other.cells, next.isBefore(other.next) ? next : other.next);
        }
    }

    /**
     * Workers.
     *
     * @param missing providers that one of them would have to ask for the campaign, and none can
     * @param areUnheard whether there are some, and all of them are late to renew their leases
     * @param withoutBatches how many keep its cells from going out in batches, since their build does not know these
     */
    public record Workers(int live, List<String> missing, boolean areUnheard, long withoutBatches) {

        public Workers {
            missing = List.copyOf(missing);
        }

        /** Workers of this build that renew their leases in time. */
        public Workers(int live, List<String> missing) {
            this(live, missing, false, 0);
        }
    }

    /**
     * The providers that are down, or refuse a key.
     *
     * @param paused whether Assay paused the campaign for one
     * @param refused keys of these that were refused
     * @param missing keys that no live worker has, of providers that are asked with others
     */
    public record Outages(boolean paused, List<Down> down, List<RefusedKey> refused, List<MissingKey> missing) {

        /** All are there. */
        public static final Outages NONE = new Outages(false, List.of(), List.of(), List.of());

        public Outages {
            down = List.copyOf(down);
            refused = List.copyOf(refused);
            missing = List.copyOf(missing);
        }
    }

    /**
     * A key that no live worker has.
     *
     * @param name what people call it
     * @param variable the environment variable that would hold it
     * @param going how many other keys are used, at least 1
     * @param all keys of the provider
     */
    public record MissingKey(String provider, String name, String variable, int going, int all) {}

    /**
     * A key that was refused.
     *
     * @param name what people call it
     * @param workers how many have it, at least 1
     * @param left what goes on
     * @param signal what the last refusal said
     */
    public record RefusedKey(
            String provider,
            String name,
            Outage.Reason reason,
            int workers,
            KeysLeft left,
            Instant since,
            String signal,
            Instant nextProbe) {}

    /**
     * The keys of a provider beside one that was refused.
     *
     * @param going how many are used on, at least 0; the same with another value included
     * @param all of the provider
     * @param hasOtherValue whether other workers have another value of it, which is not refused
     */
    public record KeysLeft(int going, int all, boolean hasOtherValue) {

        /** Whether the provider is asked on. */
        public boolean goesOn() {
            return going > 0 || hasOtherValue;
        }
    }

    /**
     * A provider that does not answer.
     *
     * @param workers how many get no answer while others do; 0: nobody gets one
     * @param signal what the last failed call said
     */
    public record Down(String provider, String models, int workers, Instant since, String signal, Instant nextProbe) {}

    /**
     * The budget of a campaign, and the gaps in its ledger.
     *
     * @param budget null: none
     * @param lost times of which the ledger is lost, oldest first
     */
    public record Spend(@Nullable Budget budget, List<LostTime> lost) {

        public Spend {
            lost = List.copyOf(lost);
        }
    }

    /**
     * The refusals of PostgreSQL, now and before.
     *
     * @param refusal why it refuses the campaign's rows for now; null: it does not, as far as is known
     * @param unstored answers that were paid and whose content it refused for good
     * @param unstoredUsd what those cost, in US dollars; null where no price is known
     */
    public record Store(
            @Nullable StoreRefusal refusal,
            long unstored,
            @Nullable BigDecimal unstoredUsd) {

        /** Nothing was refused. */
        public static final Store WRITES = new Store(null, 0, null);
    }

    /**
     * The kills of compute processes, over all workers.
     *
     * @param tasks how many were killed, at least 0
     * @param mostOften what they were killed over most often, in one line each, with how often; the most frequent first
     */
    public record Kills(long tasks, List<Killed> mostOften) {

        /** Nothing was killed. */
        public static final Kills NONE = new Kills(0, List.of());

        public Kills {
            mostOften = List.copyOf(mostOften);
        }
    }

    /** A definition, in one line, and how many tasks were killed over it. */
    public record Killed(String what, long tasks) {}

    /**
     * A budget, in US dollars.
     *
     * @param reservedUsd worst case of the calls in flight
     */
    public record Budget(BigDecimal limitUsd, BigDecimal spentUsd, BigDecimal reservedUsd) {}
}
