package dev.assay.store.evidence;

import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.evidence.Draws;
import dev.assay.domain.evidence.EvidenceTally;
import dev.assay.domain.evidence.Redraw;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The trials of cases whose cells were asked again: their first draws count. Most campaigns have none. */
@Singleton
public final class RedrawnCases {

    private static final String NOW = "SELECT o.ordinal, o.passed, o.error_code, " + OutcomeColumns.STATUS
            + " FROM outcome o WHERE o.campaign_id = ? AND o.branch_index = ? AND o.ordinal = ANY (?::integer[])";

    private final Sql sql;
    private final DrawQueries draws;

    RedrawnCases(Sql sql, DrawQueries draws) {
        this.sql = sql;
        this.draws = draws;
    }

    /**
     * The trials of one branch that were asked again.
     *
     * @param cases what they say of each case, in order; empty without any
     * @param scores of first draws, by the case's index
     */
    public record OfBranch(List<Integer> ordinals, List<CaseEvidence> cases, Map<Integer, List<Double>> scores) {

        private static final OfBranch NONE = new OfBranch(List.of(), List.of(), Map.of());

        /** The evidence of a case, from that of its other trials. */
        public CaseEvidence plus(int caseIndex, CaseEvidence others) {
            if (cases.isEmpty()) {
                return others;
            }
            CaseEvidence again = cases.get(caseIndex);
            return new CaseEvidence(
                    others.planned(),
                    others.passed() + again.passed(),
                    others.failed() + again.failed(),
                    others.errors(),
                    others.providerErrors(),
                    others.unscored(),
                    others.notNeeded(),
                    again.redraws());
        }

        /** The scores of a case, from those of its other trials. */
        public List<Double> withFirst(int caseIndex, List<Double> others) {
            List<Double> first = scores.getOrDefault(caseIndex, List.of());
            if (first.isEmpty()) {
                return others;
            }
            List<Double> all = new ArrayList<>(others);
            all.addAll(first);
            return all;
        }
    }

    /** The trials of one branch that were asked again. */
    public OfBranch of(StoredCampaign campaign, int branchIndex) {
        Draws all = draws.of(campaign);
        List<Redraw> redraws = all.ofBranch(branchIndex);
        List<Integer> carried = all.carriedOf(branchIndex);
        if (redraws.isEmpty() && carried.isEmpty()) {
            return OfBranch.NONE;
        }
        TrialGrid grid = campaign.grid();
        ErrorTreatment errors = campaign.definition().gate().demands().errors();
        List<Integer> ordinals = redraws.stream().map(Redraw::ordinal).toList();
        EvidenceTally tally = new EvidenceTally(grid, errors, redraws, carried);
        sql.forEach(
                NOW,
                row -> {
                    OutcomeStatus status = OutcomeStatus.valueOf(row.getString("status"));
                    tally.add(
                            row.getInt("ordinal"),
                            status,
                            TrialVerdict.ofStored(
                                    status, Columns.booleanOrNull(row, "passed"), Columns.errorCode(row)));
                    return tally;
                },
                _ -> {},
                campaign.id(),
                branchIndex,
                ordinals);
        Map<Integer, List<Double>> scores = new HashMap<>();
        redraws.forEach(redraw -> {
            Double score = redraw.score();
            if (score != null) {
                scores.computeIfAbsent(grid.caseIndex(redraw.ordinal()), _ -> new ArrayList<>())
                        .add(score);
            }
        });
        return new OfBranch(ordinals, tally.cases(), scores);
    }
}
