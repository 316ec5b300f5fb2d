package dev.assay.workflows.engine;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.campaign.CampaignAttributes;
import dev.assay.workflows.campaign.NamespaceActivities;
import dev.assay.workflows.campaign.Observation;
import dev.assay.workflows.campaign.PlanActivities;
import dev.assay.workflows.campaign.SteeringActivities;
import dev.assay.workflows.delivery.BatchActivities;
import dev.assay.workflows.slice.BatchResult;
import dev.assay.workflows.slice.BatchResult.Referral;
import dev.assay.workflows.slice.BatchRule;
import dev.assay.workflows.slice.BranchActivities;
import dev.assay.workflows.slice.Pace;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.BranchRoute;
import dev.assay.workflows.slice.SliceSizing;
import dev.assay.workflows.slice.TrialActivities;
import io.temporal.common.SearchAttributeKey;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A campaign as the activities see it, kept in memory: which cells are open, which trials are done, the state and the epoch.
 * Cells take {@link #cellTime}, as a model would; {@link #cellScript} and {@link #selectionScript} say which of them stay open.
 */
public final class CampaignInMemory
        implements PlanActivities,
                SteeringActivities,
                NamespaceActivities,
                BranchActivities,
                TrialActivities,
                BatchActivities {

    /** The states that matter to a workflow. */
    public enum State {
        PENDING,
        RUNNING,
        PAUSED,
        COMPLETED,
        CANCELLED,
        FAILED
    }

    /** The one batch that it makes. */
    public static final String BATCH = "0123456789abcdef0123456789abcdef";

    /** What becomes of a cell or a selection when it is tried. */
    @FunctionalInterface
    public interface Script {

        /** The answer for a cell that gets its outcome. */
        long CLOSED = -1;

        /** Closes every cell at the first try. */
        Script CLOSE = (branch, trial, attempt) -> CLOSED;

        /** {@link #CLOSED}, or the milliseconds after which to try again. Branch is −1 for a selection; attempts count from 1. */
        long answer(int branch, int trial, int attempt);
    }

    /** Its own for each campaign, so that tests can share a server. */
    public final String id;

    public final int branches;
    public volatile Duration cellTime = Duration.ZERO;
    public volatile double reportedCellSeconds = 1;
    public volatile Script cellScript = Script.CLOSE;
    public volatile Script selectionScript = Script.CLOSE;

    /** Trials that are referred to the orchestration queue when they are selected first. */
    public volatile IntPredicate referred = trial -> false;

    /** Trials whose judges are asked in a batch of their provider when they are selected first. */
    public volatile IntPredicate asksInBatch = trial -> false;

    /** The models that read answers; null: none do. */
    public volatile @Nullable TrialJudges judges;
    /** Whether it may stop before its last trial. */
    public volatile boolean stops;

    /** How cells go out in batches of providers; empty: they do not. */
    public volatile List<DeliveryRoute> deliveries = List.of();

    /** Looks at a batch before it has ended. */
    public static final int LOOKS = 2;

    /** Where trials are selected. */
    public volatile String trialQueue = TaskQueues.ORCHESTRATION;

    /** Which branch has no answer in which trial that a model could read. */
    public volatile BiPredicate<Integer, Integer> unanswered = (branch, trial) -> false;

    /** Whether cells that stay open, or trials whose selection does, do so for no stated reason. */
    public volatile boolean unexplained;

    /** Slices of a page. */
    public static final int MOST_SLICES = 2;

    /** Called at the start of each activity with its name and may throw; holds no lock. */
    public volatile Consumer<String> before = activity -> {};

    /** Called when the cells of a batch begin. */
    public volatile Consumer<BranchBatch> beforeBatch = batch -> {};

    /** What holds cells up. */
    public volatile List<String> reasons = List.of();

    /** What the namespace knows. */
    public volatile List<String> searchAttributes =
            CampaignAttributes.ALL.stream().map(SearchAttributeKey::getName).toList();

    /** Re-runs that were asked for. */
    public final List<Map<String, Object>> reruns = new CopyOnWriteArrayList<>();

    /** Called when a plan is made, just before its answer leaves. */
    public volatile Consumer<Plan> afterPlan = plan -> {};

    private int cases;
    private int trials = 1;
    private int maxConcurrent = 20;
    private int epoch = 1;
    private State state = State.PENDING;
    private String failReason = "";
    private int completions;
    private final List<BitSet> closed = new ArrayList<>();
    private final BitSet done = new BitSet();
    private final Map<String, Integer> attempts = new HashMap<>();
    private final List<PlanRequest> plans = new ArrayList<>();
    private final List<BranchBatch> batches = new ArrayList<>();
    private final List<SelectionBatch> selections = new ArrayList<>();
    private final List<SelectionBatch> judgements = new ArrayList<>();
    private int cellsInFlight;
    private int mostCellsInFlight;
    private int cellsRun;
    private boolean enlisted;
    private int looks;

    public CampaignInMemory(int cases, int branches) {
        this("test-" + UUID.randomUUID(), cases, branches);
    }

    public CampaignInMemory(String id, int cases, int branches) {
        this.id = id;
        this.cases = cases;
        this.branches = branches;
        IntStream.range(0, branches).forEach(branch -> closed.add(new BitSet()));
    }

    @Override
    public Plan plan(PlanRequest request) {
        before.accept("plan");
        Plan plan = planned(request);
        afterPlan.accept(plan);
        return plan;
    }

    private synchronized Plan planned(PlanRequest request) {
        plans.add(request);
        if (state == State.PENDING) {
            state = State.RUNNING;
        }
        List<SlicePlan> slices = new ArrayList<>();
        boolean isHeld = !deliveries.isEmpty() && looks < LOOKS;
        int next = standing(request.epoch()) != Standing.GO
                ? request.fromOrdinal()
                : isHeld ? total() : cut(request, slices);
        return new Plan(
                standing(request.epoch()),
                epoch,
                "capitals",
                "cities",
                total(),
                done.cardinality(),
                total() * branches,
                maxConcurrent,
                IntStream.range(0, branches).mapToObj(this::route).toList(),
                trialQueue,
                slices,
                next,
                null,
                judges,
                stops,
                deliveries,
                isHeld);
    }

    /** How often its batch was looked at. */
    public synchronized int looks() {
        return looks;
    }

    @Override
    public synchronized Enlisted enlist(EnlistRequest request) {
        List<String> batches = enlisted ? List.of() : List.of(BATCH);
        enlisted = true;
        return new Enlisted(batches, true, 0);
    }

    @Override
    public synchronized Step advance(String batchId) {
        looks++;
        return looks < LOOKS ? new Step(false, 60_000, "out") : new Step(true, 0, "collected");
    }

    private Standing standing(int asked) {
        return switch (state) {
            case PENDING, RUNNING -> asked == epoch ? Standing.GO : Standing.MOVED_ON;
            case PAUSED -> Standing.PAUSED;
            case COMPLETED, CANCELLED, FAILED -> Standing.ENDED;
        };
    }

    private int cut(PlanRequest request, List<SlicePlan> slices) {
        int trial = request.fromOrdinal();
        int sliceTrials = SliceSizing.of(
                        BatchRule.FAST.where(stops, judges != null),
                        branches,
                        total() * branches,
                        maxConcurrent,
                        request.pace())
                .sliceTrials(total() - trial);
        while (slices.size() < MOST_SLICES) {
            List<Integer> open = new ArrayList<>();
            for (; trial < total() && open.size() < sliceTrials; trial++) {
                if (!done.get(trial)) {
                    open.add(trial);
                }
            }
            if (open.isEmpty()) {
                return total();
            }
            slices.add(new SlicePlan(ranges(open), open.size() <= 100 ? labels(open) : Map.of()));
        }
        return trial;
    }

    private Map<Integer, String> labels(List<Integer> open) {
        Map<Integer, String> labels = new HashMap<>();
        open.forEach(trial -> labels.put(trial, "case-" + trial % cases + ", trial " + (trial / cases + 1)));
        return labels;
    }

    public BranchRoute route(int branch) {
        return new BranchRoute(branch, "branch-" + branch, TaskQueues.provider("test"));
    }

    @Override
    public Steered steer(String campaignId, SteeringVerb verb) {
        before.accept("steer");
        synchronized (this) {
            CampaignState now = CampaignState.valueOf(state.name());
            if (verb.from().contains(now)) {
                state = State.valueOf(verb.to().name());
                epoch += verb.raisesEpoch() ? 1 : 0;
            } else if (!verb.content().contains(now)) {
                throw ApplicationFailure.newNonRetryableFailure(
                        "It is " + state + " and cannot be " + verb.participle(), "CONFLICT");
            }
            return steered();
        }
    }

    @Override
    public synchronized Steered setLimits(String campaignId, Map<String, Object> limits) {
        maxConcurrent = (int) limits.getOrDefault("maxConcurrent", maxConcurrent);
        trials = (int) limits.getOrDefault("trials", trials);
        return steered();
    }

    @Override
    public synchronized Steered rerun(String campaignId, Map<String, Object> cells) {
        reruns.add(cells);
        return steered();
    }

    @Override
    public List<String> searchAttributes(NamePrefix prefix) {
        before.accept("searchAttributes");
        return searchAttributes;
    }

    private Steered steered() {
        return new Steered(state.name(), epoch, maxConcurrent, null, trials);
    }

    @Override
    public Observation observe(String campaignId, @Nullable String known) {
        before.accept("observe");
        Observation now = observed();
        if (now.mark().equals(known)) {
            throw ApplicationFailure.newBuilder()
                    .setMessage("Nothing has changed")
                    .setType("UNCHANGED")
                    .setCategory(ApplicationErrorCategory.BENIGN)
                    .build();
        }
        return now;
    }

    private Observation observed() {
        synchronized (this) {
            List<Observation.BranchCounts> counts =
                    IntStream.range(0, branches).mapToObj(this::counts).toList();
            long cellsDone = counts.stream()
                    .mapToLong(Observation.BranchCounts::cellsDone)
                    .sum();
            return new Observation(
                    state.name(),
                    total(),
                    done.cardinality(),
                    0,
                    cellsDone,
                    cellsDone / 2,
                    counts,
                    branches,
                    "OK",
                    reasons);
        }
    }

    /** Every second cell passes. */
    private Observation.BranchCounts counts(int branch) {
        int cells = closed.get(branch).cardinality();
        return new Observation.BranchCounts("branch-" + branch, cells, cells / 2, 0, 0, null);
    }

    @Override
    public void complete(String campaignId, int asked) {
        before.accept("complete");
        synchronized (this) {
            completions++;
            if (asked == epoch && state == State.RUNNING && done.cardinality() == total()) {
                state = State.COMPLETED;
            }
        }
    }

    @Override
    public void fail(String campaignId, int asked, String reason) {
        before.accept("fail");
        synchronized (this) {
            if (asked == epoch) {
                state = State.FAILED;
                failReason = reason;
            }
        }
    }

    @Override
    public BatchResult ensureOutcomes(BranchBatch batch) {
        int size = size(batch.trials());
        synchronized (this) {
            batches.add(batch);
            cellsInFlight += size;
            mostCellsInFlight = Math.max(mostCellsInFlight, cellsInFlight);
        }
        try {
            before.accept("ensureOutcomes");
            beforeBatch.accept(batch);
            sleep();
            return ensure(batch);
        } finally {
            synchronized (this) {
                cellsInFlight -= size;
            }
        }
    }

    private synchronized BatchResult ensure(BranchBatch batch) {
        if (halted(batch.epoch())) {
            return new BatchResult(batch.trials(), 0, true, Pace.UNKNOWN);
        }
        BitSet cells = closed.get(batch.branchIndex());
        List<Integer> open = new ArrayList<>();
        long retryAfterMs = Long.MAX_VALUE;
        int ran = 0;
        int ended = 0;
        for (int trial : trials(batch.trials())) {
            if (!cells.get(trial)) {
                ran++;
                long answer =
                        cellScript.answer(batch.branchIndex(), trial, attempt("cell", batch.branchIndex(), trial));
                if (answer == Script.CLOSED) {
                    ended++;
                    cells.set(trial);
                } else {
                    open.add(trial);
                    retryAfterMs = Math.min(retryAfterMs, answer);
                }
            }
        }
        cellsRun += ran;
        return new BatchResult(
                ranges(open),
                open.isEmpty() ? 0 : retryAfterMs,
                false,
                new Pace(ended, ended * reportedCellSeconds),
                !open.isEmpty() && unexplained,
                List.of(),
                ranges(trials(batch.trials()).stream()
                        .filter(cells::get)
                        .filter(trial -> unanswered.test(batch.branchIndex(), trial))
                        .toList()),
                List.of());
    }

    @Override
    public BatchResult selectTrials(SelectionBatch batch) {
        before.accept("selectTrials");
        return select(batch, selections);
    }

    @Override
    public BatchResult judgeTrials(SelectionBatch batch) {
        before.accept("judgeTrials");
        return select(batch, judgements);
    }

    private BatchResult select(SelectionBatch batch, List<SelectionBatch> calls) {
        synchronized (this) {
            calls.add(batch);
            if (halted(batch.epoch())) {
                return new BatchResult(batch.trials(), 0, true, Pace.UNKNOWN);
            }
            List<Integer> open = new ArrayList<>();
            List<Integer> elsewhere = new ArrayList<>();
            List<Integer> out = new ArrayList<>();
            long retryAfterMs = 0;
            for (int trial : trials(batch.trials())) {
                if (closed.stream().anyMatch(cells -> !cells.get(trial))) {
                    throw new IllegalStateException("Trial " + trial + " has an open cell and cannot be selected");
                }
                int attempt = attempt("selection", -1, trial);
                long answer = selectionScript.answer(-1, trial, attempt);
                if (batch.refers() && attempt == 1 && referred.test(trial)) {
                    open.add(trial);
                    elsewhere.add(trial);
                } else if (attempt == 1 && asksInBatch.test(trial)) {
                    out.add(trial);
                } else if (answer == Script.CLOSED) {
                    done.set(trial);
                } else {
                    open.add(trial);
                    retryAfterMs = answer;
                }
            }
            List<Referral> referrals = elsewhere.isEmpty()
                    ? List.of()
                    : List.of(new Referral(TaskQueues.ORCHESTRATION, ranges(elsewhere)));
            return new BatchResult(
                    ranges(open),
                    retryAfterMs,
                    false,
                    Pace.UNKNOWN,
                    !open.isEmpty() && unexplained,
                    referrals,
                    List.of(),
                    ranges(out));
        }
    }

    private boolean halted(int asked) {
        return asked != epoch || state != State.RUNNING;
    }

    private int attempt(String what, int branch, int trial) {
        return attempts.merge(what + "/" + branch + "/" + trial, 1, Integer::sum);
    }

    private void sleep() {
        try {
            Thread.sleep(cellTime);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", interrupted);
        }
    }

    // What a user does.

    public synchronized void run() {
        state = State.RUNNING;
    }

    public synchronized void pause() {
        state = State.PAUSED;
    }

    public synchronized int resume() {
        state = State.RUNNING;
        return ++epoch;
    }

    public synchronized void extend(int moreTrials) {
        trials += moreTrials;
    }

    public synchronized void limit(int calls) {
        maxConcurrent = calls;
    }

    // What a test asks.

    public synchronized State state() {
        return state;
    }

    public synchronized int epoch() {
        return epoch;
    }

    public synchronized String failReason() {
        return failReason;
    }

    public synchronized int completions() {
        return completions;
    }

    public synchronized int total() {
        return cases * trials;
    }

    public synchronized int trialsDone() {
        return done.cardinality();
    }

    public synchronized int cellsRun() {
        return cellsRun;
    }

    public synchronized int mostCellsInFlight() {
        return mostCellsInFlight;
    }

    public synchronized List<PlanRequest> plans() {
        return List.copyOf(plans);
    }

    public synchronized List<BranchBatch> batches() {
        return List.copyOf(batches);
    }

    public synchronized List<SelectionBatch> selections() {
        return List.copyOf(selections);
    }

    public synchronized List<SelectionBatch> judgements() {
        return List.copyOf(judgements);
    }

    public synchronized int mostAttempts() {
        return attempts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    public static int size(List<OrdinalRange> ranges) {
        return ranges.stream().mapToInt(OrdinalRange::size).sum();
    }

    private static List<Integer> trials(List<OrdinalRange> ranges) {
        return ranges.stream()
                .flatMap(range -> IntStream.range(range.from(), range.to()).boxed())
                .toList();
    }

    public synchronized void cancel() {
        state = State.CANCELLED;
    }

    private static List<OrdinalRange> ranges(List<Integer> ascending) {
        List<OrdinalRange> ranges = new ArrayList<>();
        int[] trials = ascending.stream().mapToInt(Integer::intValue).toArray();
        int start = 0;
        for (int i = 1; i <= trials.length; i++) {
            if (i == trials.length || trials[i] != trials[i - 1] + 1) {
                ranges.add(new OrdinalRange(trials[start], trials[i - 1] + 1));
                start = i;
            }
        }
        return ranges;
    }

    @Override
    public String toString() {
        return id + " " + state + " " + Arrays.asList(trialsDone(), total());
    }
}
