package dev.assay.domain.evidence;

import dev.assay.domain.evidence.CaseEvidence.Redraws;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the outcomes of one branch, in any order. It holds a few numbers for each case and a bit for each trial. Not safe for use
 * by several threads.
 */
public final class EvidenceTally {

    private enum Kind {
        PASSED,
        FAILED,
        ERROR,
        PROVIDER_ERROR,
        UNSCORED,
        NOT_NEEDED,
        REDRAWN,
        WORSE,
        BETTER
    }

    private final TrialGrid grid;
    private final ErrorTreatment errors;
    private final Map<Integer, Redraw> redraws = new HashMap<>();
    private final BitSet seen = new BitSet();
    private final Map<Kind, int[]> counts = new EnumMap<>(Kind.class);

    /**
     * Nothing is counted yet.
     *
     * @param errors what an error counts as beside a draw that passed
     * @param redraws the first draws of the branch's cells that were drawn again
     */
    public EvidenceTally(TrialGrid grid, ErrorTreatment errors, Collection<Redraw> redraws) {
        this(grid, errors, redraws, List.of());
    }

    /**
     * The same of a branch with copies.
     *
     * @param carried the ordinals of copies whose cells were asked again where they come from; only the first draw is here
     */
    public EvidenceTally(
            TrialGrid grid, ErrorTreatment errors, Collection<Redraw> redraws, Collection<Integer> carried) {
        this.grid = grid;
        this.errors = errors;
        for (Kind kind : Kind.values()) {
            counts.put(kind, new int[grid.cases()]);
        }
        for (Redraw redraw : redraws) {
            this.redraws.put(redraw.ordinal(), redraw);
            int caseIndex = grid.caseIndex(redraw.ordinal());
            raise(caseIndex, Kind.REDRAWN);
            raise(caseIndex, redraw.passed() ? Kind.PASSED : Kind.FAILED);
        }
        carried.forEach(ordinal -> raise(grid.caseIndex(ordinal), Kind.REDRAWN));
    }

    /**
     * Counts the outcome that a cell has now. A second one of the same cell is an error.
     *
     * @param verdict what that says of the trial
     */
    public void add(int ordinal, OutcomeStatus status, TrialVerdict verdict) {
        if (seen.get(ordinal)) {
            throw new IllegalArgumentException(
                    "Trial " + grid.trial(ordinal) + " of case " + grid.caseIndex(ordinal) + " has two outcomes");
        }
        seen.set(ordinal);
        int caseIndex = grid.caseIndex(ordinal);
        Redraw redraw = redraws.get(ordinal);
        if (redraw == null) {
            Kind kind = kind(status, verdict);
            if (kind != null) {
                raise(caseIndex, kind);
            }
        } else if (redraw.disagrees(errors.seen(verdict))) {
            raise(caseIndex, redraw.passed() ? Kind.WORSE : Kind.BETTER);
        }
    }

    /** PASSED, FAILED or NO_EVIDENCE: what a cell counts as where bounds matter. */
    public TrialVerdict bound(int ordinal, TrialVerdict verdict) {
        Redraw redraw = redraws.get(ordinal);
        TrialVerdict last = errors.seen(verdict);
        return redraw == null ? last : redraw.bound(last);
    }

    /** The first draw of a cell that was drawn again; null: it was not. */
    public @Nullable Redraw redraw(int ordinal) {
        return redraws.get(ordinal);
    }

    /** The outcomes that were added. */
    public int outcomes() {
        return seen.cardinality();
    }

    /** Each case, in order. Cells without an outcome are missing, unless an earlier draw is known. */
    public List<CaseEvidence> cases() {
        return IntStream.range(0, grid.cases()).mapToObj(this::evidence).toList();
    }

    /** The first draws of cells that have no outcome now. */
    public List<Redraw> withoutOutcome() {
        return redraws.values().stream()
                .filter(redraw -> !seen.get(redraw.ordinal()))
                .toList();
    }

    private static @Nullable Kind kind(OutcomeStatus status, TrialVerdict verdict) {
        return switch (status) {
            case CANCELLED, BUDGET_SKIPPED -> null;
            case NOT_NEEDED -> Kind.NOT_NEEDED;
            case COMPLETED, LIMIT, MODEL_ERROR, TIMED_OUT ->
                switch (verdict) {
                    case PASSED -> Kind.PASSED;
                    case FAILED -> Kind.FAILED;
                    case ERROR -> Kind.ERROR;
                    case PROVIDER_ERROR -> Kind.PROVIDER_ERROR;
                    case NO_EVIDENCE -> Kind.UNSCORED;
                };
        };
    }

    private CaseEvidence evidence(int caseIndex) {
        return new CaseEvidence(
                grid.trials(),
                count(caseIndex, Kind.PASSED),
                count(caseIndex, Kind.FAILED),
                count(caseIndex, Kind.ERROR),
                count(caseIndex, Kind.PROVIDER_ERROR),
                count(caseIndex, Kind.UNSCORED),
                count(caseIndex, Kind.NOT_NEEDED),
                count(caseIndex, Kind.REDRAWN) == 0
                        ? Redraws.NONE
                        : new Redraws(
                                count(caseIndex, Kind.REDRAWN),
                                count(caseIndex, Kind.WORSE),
                                count(caseIndex, Kind.BETTER)));
    }

    private int count(int caseIndex, Kind kind) {
        return of(kind)[caseIndex];
    }

    private void raise(int caseIndex, Kind kind) {
        of(kind)[caseIndex]++;
    }

    private int[] of(Kind kind) {
        return Objects.requireNonNull(counts.get(kind));
    }
}
