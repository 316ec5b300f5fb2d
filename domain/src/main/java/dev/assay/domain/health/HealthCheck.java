package dev.assay.domain.health;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.LostTime;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.health.CampaignHealth.Code;
import dev.assay.domain.health.CampaignHealth.Reason;
import dev.assay.domain.health.CampaignHealth.Status;
import dev.assay.domain.health.HealthFacts.Blocked;
import dev.assay.domain.health.HealthFacts.Budget;
import dev.assay.domain.health.HealthFacts.Down;
import dev.assay.domain.health.HealthFacts.Driver;
import dev.assay.domain.health.HealthFacts.Kills;
import dev.assay.domain.health.HealthFacts.Limit;
import dev.assay.domain.health.HealthFacts.MissingKey;
import dev.assay.domain.health.HealthFacts.Pool;
import dev.assay.domain.health.HealthFacts.RefusedKey;
import dev.assay.domain.health.HealthFacts.Retry;
import dev.assay.domain.limit.outage.Outage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges the health of a campaign. A bound that holds up some cells while more are in flight is no reason to wait. The status then
 * stays OK, and the reason says what bounds the speed.
 */
public final class HealthCheck {

    /** A campaign between two activities, or right after a worker came back, shows nothing in flight for seconds. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The time in which a campaign with open cells begins a call, where nothing holds it up. */
    static final Duration START = Duration.ofSeconds(30);

    static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** Of what is not a day away. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private record Finding(Status status, Reason reason) {}

    private final HealthFacts facts;
    private final List<Finding> findings = new ArrayList<>();

    private HealthCheck(HealthFacts facts) {
        this.facts = facts;
    }

    /** The health of the campaign that {@code facts} describe. */
    public static CampaignHealth of(HealthFacts facts) {
        HealthCheck check = new HealthCheck(facts);
        switch (facts.state()) {
            case PENDING, RUNNING -> check.goingOn();
            case PAUSED -> check.paused();
            case COMPLETED -> check.completed();
            case FAILED ->
                check.add(
                        Status.STALLED,
                        Code.FAILED,
                        "It could not go on: "
                                + (facts.failureReason() == null ? "no reason is stored" : facts.failureReason())
                                + "; resume it to try again.",
                        null,
                        null);
            case CANCELLED -> check.ended();
        }
        check.unstored();
        check.killed();
        facts.spend().lost().forEach(check::lost);
        return check.health();
    }

    private CampaignHealth health() {
        findings.sort(Comparator.comparing(Finding::status)
                .reversed()
                .thenComparing(finding -> finding.reason().code()));
        Status status = findings.isEmpty() ? Status.OK : findings.getFirst().status();
        return new CampaignHealth(status, findings.stream().map(Finding::reason).toList());
    }

    private void paused() {
        long open = facts.cells().open();
        if (facts.failureReason() == null) {
            add(Status.WAITING, Code.PAUSED, "It is paused; resume it to go on.", open, null);
        } else if (facts.outages().paused()) {
            add(Status.STALLED, Code.PROVIDER_DOWN, facts.failureReason(), open, null);
            add(Status.STALLED, Code.PAUSED, "Assay paused it; resume it when that is mended.", open, null);
        } else {
            add(
                    Status.STALLED,
                    Code.STORE_REFUSES,
                    "Assay paused it, since its results cannot be stored: " + facts.failureReason()
                            + ". Mend that, then resume it.",
                    open,
                    null);
        }
    }

    private void unstored() {
        long answers = facts.store().unstored();
        BigDecimal usd = facts.store().unstoredUsd();
        if (answers > 0) {
            String cost = usd == null ? "" : " (" + usd.stripTrailingZeros().toPlainString() + " USD)";
            add(
                    Status.OK,
                    Code.STORE_REFUSES,
                    (answers == 1 ? "1 answer that was paid" : answers + " answers that were paid") + cost
                            + " could not be stored, since PostgreSQL refused them.",
                    null,
                    null);
        }
    }

    private void killed() {
        Kills kills = facts.kills();
        if (kills.tasks() > 0) {
            add(
                    Status.OK,
                    Code.COMPUTE_KILLED,
                    (kills.tasks() == 1 ? "1 computation took" : kills.tasks() + " computations took")
                            + " more time or memory than one may, and " + (kills.tasks() == 1 ? "was" : "were")
                            + " stopped. Most often: "
                            + kills.mostOften().stream()
                                    .map(one -> one.what() + " (" + one.tasks() + ")")
                                    .collect(Collectors.joining("; "))
                            + ". What a worker stopped three times is not run there again.",
                    null,
                    null);
        }
    }

    private void completed() {
        if (facts.spend().budget() != null && facts.cells().open() > 0) {
            add(
                    Status.OK,
                    Code.BUDGET,
                    "Cells were skipped: " + standing(facts.spend().budget()),
                    facts.cells().open(),
                    null);
        }
    }

    private void lost(LostTime time) {
        String from = time.from() == null ? "a time that is not known" : SECONDS.format(time.from());
        add(
                Status.OK,
                Code.STORE_RESTORED,
                "PostgreSQL went back to an earlier state: what was recorded from " + from + " to "
                        + SECONDS.format(time.until())
                        + " is lost. What was spent then is unknown and not in the costs; lost answers are asked for"
                        + " again.",
                null,
                null);
    }

    /** A user who cancels it says so to Assay, and no reason is stored. */
    private void ended() {
        if (facts.failureReason() != null) {
            add(Status.STALLED, Code.ENDED_IN_TEMPORAL, facts.failureReason(), null, null);
        }
    }

    private void goingOn() {
        driver();
        workers();
        facts.outages().down().forEach(this::down);
        facts.outages().refused().forEach(this::refused);
        facts.outages().missing().forEach(this::missing);
        facts.cells().blocked().forEach(this::blocked);
        facts.retries().forEach(this::retry);
        facts.cells().limits().forEach(this::limit);
        out();
        withoutBatches();
        permits();
        budget();
        // Last: it covers what no other code explains.
        if (findings.isEmpty() && facts.cells().calling() == 0) {
            standing();
        }
    }

    private void out() {
        facts.cells().out().forEach(this::troubled);
        facts.cells().out().stream()
                .collect(Collectors.groupingBy(OutBatch::provider, TreeMap::new, Collectors.toList()))
                .forEach(this::out);
    }

    private void withoutBatches() {
        long workers = facts.workers().withoutBatches();
        if (workers > 0 && facts.cells().out().isEmpty()) {
            add(
                    weight(facts.cells().open()),
                    Code.BATCH_WORKERS,
                    "No batch is made while "
                            + (workers == 1
                                    ? "1 worker of an earlier build runs"
                                    : workers + " workers of earlier builds run")
                            + ", which would take its requests for lost. Stop them.",
                    null,
                    null);
        }
    }

    private void out(String provider, List<OutBatch> batches) {
        long cells = batches.stream().mapToLong(OutBatch::cells).sum();
        Instant until = batches.stream()
                .map(OutBatch::until)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
        add(
                Status.OK,
                Code.BATCH_OUT,
                cells + (cells == 1 ? " cell is" : " cells are") + " out with " + provider + " in "
                        + (batches.size() == 1 ? "1 batch" : batches.size() + " batches")
                        + (until == null ? "." : " until " + SECONDS.format(until) + "."),
                cells,
                until);
    }

    private void troubled(OutBatch batch) {
        String words = batch.words() == null ? "" : batch.words();
        if (batch.isUncertain()) {
            add(
                    Status.STALLED,
                    Code.BATCH_UNCERTAIN,
                    "Nobody knows whether provider " + batch.provider() + " accepted batch " + batch.id()
                            + ", and nothing is submitted until that is sure. " + words
                            + " `assay batch abandon " + batch.id() + " --yes` frees its cells.",
                    batch.cells(),
                    null);
        } else if (batch.isLookedFor()) {
            add(
                    Status.WAITING,
                    Code.BATCH_UNCERTAIN,
                    words + " The list of provider " + batch.provider()
                            + " says within minutes whether it accepted batch " + batch.id() + ".",
                    batch.cells(),
                    null);
        } else if (batch.isUnreachable()) {
            add(
                    Status.STALLED,
                    Code.BATCH_UNREACHABLE,
                    "Batch " + batch.id() + " waits for a key of provider " + batch.provider() + ". " + words,
                    batch.cells(),
                    null);
        } else if (batch.isLate()) {
            add(
                    Status.WAITING,
                    Code.BATCH_LATE,
                    "Provider " + batch.provider() + " should have ended batch " + batch.id()
                            + " more than an hour ago. It is looked at again.",
                    batch.cells(),
                    null);
        }
    }

    private void standing() {
        if (facts.idle().compareTo(PATIENCE) > 0) {
            noProgress();
        } else if (facts.idle().compareTo(START) > 0 && facts.cells().open() > 0) {
            add(
                    Status.WAITING,
                    Code.NOT_STARTING,
                    "No call has begun for " + facts.idle().toSeconds() + " s, and "
                            + Starvation.of(facts).text() + ".",
                    facts.cells().open(),
                    null);
        }
    }

    private void noProgress() {
        long waiting = facts.cells().waitingForPermit();
        String what = waiting == 0 ? "nothing is in flight" : waiting + " cells wait for permits that no call uses";
        String lacks = facts.cells().open() > 0 ? "; " + Starvation.of(facts).text() : "";
        add(
                Status.STALLED,
                Code.NO_PROGRESS,
                "Nothing has happened for " + facts.idle().toSeconds() + " s, and " + what + lacks
                        + ". Look at the campaign's workflow in Temporal and at the log of the workers.",
                facts.cells().open(),
                null);
    }

    private void driver() {
        if (facts.driver() == Driver.UNREACHABLE) {
            add(
                    Status.STALLED,
                    Code.ENGINE_UNREACHABLE,
                    "Temporal does not answer; the campaign goes on when it does.",
                    null,
                    null);
        } else if (facts.driver() == Driver.BLOCKED) {
            add(
                    Status.STALLED,
                    Code.WORKFLOW_BLOCKED,
                    "A task of its workflow fails again and again. Its history in Temporal says why; the campaign goes"
                            + " on with workers of a build that mends it.",
                    null,
                    null);
        } else if (facts.driver() == Driver.ENDED) {
            ended();
        } else if (facts.driver() == Driver.MISSING) {
            String what = facts.state() == CampaignState.PENDING
                    ? "Its workflow has not started yet; a server that runs with `assay up` starts it within 30 s,"
                            + " `assay resume` at once."
                    : "Its workflow is gone; a server that runs with `assay up` starts a new one within 30 s,"
                            + " `assay resume` at once.";
            add(Status.WAITING, Code.WORKFLOW_MISSING, what, null, null);
        }
    }

    private void workers() {
        StoreRefusal refusal = facts.store().refusal();
        if (refusal != null) {
            add(
                    Status.STALLED,
                    refusal.readOnly() ? Code.STORE_READ_ONLY : Code.STORE_REFUSES,
                    "PostgreSQL refuses to write: " + refusal.words()
                            + ". Answers are kept, and no further call begins. The campaign goes on by itself when"
                            + " PostgreSQL takes its rows again.",
                    facts.cells().open(),
                    null);
            return; // Workers cannot renew their leases either.
        }
        if (facts.workers().live() == 0) {
            add(
                    Status.STALLED,
                    Code.NO_WORKER,
                    "No worker is alive: start one with `assay worker`.",
                    facts.cells().open(),
                    null);
            return;
        }
        for (String provider : facts.workers().missing()) {
            String detail =
                    "No live worker can ask provider " + provider + ": start one that has its settings and its key.";
            add(Status.STALLED, Code.NO_WORKER_FOR_PROVIDER, detail, null, null);
        }
    }

    private void down(Down down) {
        if (down.workers() > 0) {
            String who = down.workers() == 1 ? "1 worker gets" : down.workers() + " workers get";
            add(
                    Status.OK,
                    Code.WORKER_CUT_OFF,
                    who + " no answer from provider " + down.provider() + " for " + down.models()
                            + ", and others do. Look at its network: " + down.signal(),
                    null,
                    down.nextProbe());
            return;
        }
        add(
                Status.WAITING,
                Code.PROVIDER_DOWN,
                "Provider " + down.provider() + " does not answer for " + down.models() + " since "
                        + SECONDS.format(down.since())
                        + "; its cells wait, which costs no attempt. It is asked again at "
                        + SECONDS.format(down.nextProbe()) + ". " + down.signal(),
                null,
                down.nextProbe());
    }

    private void refused(RefusedKey key) {
        if (key.left().going() > 0 && !key.left().hasOtherValue()) {
            String why = key.reason() == Outage.Reason.QUOTA ? "it has no quota or money left" : "it was refused (401)";
            lacks(
                    "Key " + key.name() + " of provider " + key.provider() + " is disabled: " + why,
                    key.left().going(),
                    key.left().all());
            return;
        }
        if (key.left().hasOtherValue()) {
            String who = key.workers() == 1 ? "1 worker has" : key.workers() + " workers have";
            add(
                    Status.OK,
                    Code.WORKER_KEY,
                    who + " a key of provider " + key.provider()
                            + " that is refused, and others have another. The work is left to these. " + key.signal(),
                    null,
                    key.nextProbe());
            return;
        }
        add(
                Status.STALLED,
                Code.PROVIDER_DOWN,
                "The key of provider " + key.provider() + " is refused since " + SECONDS.format(key.since())
                        + "; its cells wait, which costs no attempt. Mend it: another value is asked with at once, this"
                        + " one again at " + SECONDS.format(key.nextProbe()) + ". " + key.signal(),
                null,
                key.nextProbe());
    }

    private void missing(MissingKey key) {
        lacks(
                "Key " + key.name() + " of provider " + key.provider() + " is missing: no live worker has "
                        + key.variable(),
                key.going(),
                key.all());
    }

    /** A key is not used, and others are. */
    private void lacks(String what, int going, int all) {
        String goOn = going == 1 ? " keys goes on." : " keys go on.";
        add(Status.OK, Code.PROVIDER_KEY, what + ". " + going + " of " + all + goOn, null, null);
    }

    private void blocked(Blocked blocked) {
        long waiting = facts.cells().waitingFor(blocked.provider());
        add(
                weight(waiting),
                Code.RATE_LIMIT,
                limitsRate(blocked.provider()) + " It is asked again at " + TIME.format(blocked.until()) + ".",
                waiting,
                blocked.until());
    }

    private static String limitsRate(String provider) {
        return "Provider " + provider + " limits the rate (429).";
    }

    private void retry(Retry retry) {
        boolean limited = retry.code() == ErrorCode.PROVIDER_RATE_LIMITED;
        String what = limited
                ? limitsRate(retry.provider())
                : "Attempts at provider " + retry.provider() + " failed (" + retry.code()
                        + ") and are made again after a back-off.";
        add(weight(retry.cells()), limited ? Code.RATE_LIMIT : Code.RETRY, what, retry.cells(), retry.next());
    }

    /** Units of a minute come again: nobody need do anything as long as calls go. */
    private void limit(Limit limit) {
        boolean goesOn = facts.cells().calling() > 0 || limit.sinceGrant().compareTo(PATIENCE) < 0;
        add(
                goesOn ? Status.OK : Status.WAITING,
                Code.PROVIDER_LIMIT,
                "Provider " + limit.provider() + " allows " + limit.allowed() + " for " + limit.models()
                        + ", those of other campaigns included."
                        + (limit.setBy() == null ? "" : " It was set by hand: " + limit.setBy() + "."),
                limit.waiting(),
                null);
    }

    private void permits() {
        for (Pool pool : facts.cells().forPermit()) {
            if (pool.full()) {
                add(
                        weight(pool.waiting()),
                        Code.PROVIDER_PERMITS,
                        "All " + pool.permits() + " calls that provider " + pool.provider()
                                + " allows are in flight, those of other campaigns included.",
                        pool.waiting(),
                        null);
            }
        }
        long waiting = facts.cells().waitingForPermit();
        int most = facts.cells().maxConcurrent();
        if (waiting > 0 && facts.cells().calling() >= most) {
            add(
                    Status.OK,
                    Code.CAMPAIGN_PERMITS,
                    "All " + most + " calls that maxConcurrent allows are in flight.",
                    waiting,
                    null);
        }
    }

    private void budget() {
        Budget budget = facts.spend().budget();
        long waiting = facts.cells().forBudget();
        if (budget != null && waiting > 0) {
            add(weight(waiting), Code.BUDGET, "Cells wait for the budget: " + standing(budget), waiting, null);
        }
    }

    private static String standing(Budget budget) {
        return "of " + budget.limitUsd().toPlainString() + " USD, "
                + budget.spentUsd().toPlainString() + " are spent and "
                + budget.reservedUsd().toPlainString() + " reserved by calls in flight. A larger budget lets them run.";
    }

    /** WAITING when more cells are held up than are in flight. */
    private Status weight(long waiting) {
        return waiting > facts.cells().calling() ? Status.WAITING : Status.OK;
    }

    private void add(Status status, Code code, String message, @Nullable Long cells, @Nullable Instant until) {
        findings.add(new Finding(status, new Reason(code, message, cells, until)));
    }
}
