package dev.assay.campaigns.scoring;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evaluator.UsedEvaluators;
import dev.assay.domain.evidence.BranchEvidence;
import dev.assay.domain.evidence.EvidenceTally;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.scoring.FlipTally;
import dev.assay.domain.scoring.ScoredBranch;
import dev.assay.domain.scoring.ScoredFlip;
import dev.assay.domain.scoring.ScoringReport;
import dev.assay.domain.suite.GroupBy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.StoredCampaign.Scoring;
import dev.assay.store.evaluator.EvaluatorRepository;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.scoring.ScoredCells;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What scorings change of the verdicts of the campaigns whose answers they score. */
@Singleton
public class ScoringReports {

    private final ScoredCells cells;
    private final EvaluatorRepository evaluators;
    private final CaseRepository cases;

    ScoringReports(ScoredCells cells, EvaluatorRepository evaluators, CaseRepository cases) {
        this.cells = cells;
        this.evaluators = evaluators;
        this.cases = cases;
    }

    /** A report with one page of its flips; {@code nextPageToken} asks for those after them. */
    public record Paged(ScoringReport report, @Nullable String nextPageToken) {}

    /** The two verdicts on the answers of one branch. */
    private static final class OfBranch {

        private final FlipTally flips = new FlipTally();
        private final EvidenceTally before;
        private final EvidenceTally after;

        OfBranch(StoredCampaign scoring, ErrorTreatment errors) {
            this.before = new EvidenceTally(scoring.grid(), errors, List.of());
            this.after = new EvidenceTally(scoring.grid(), errors, List.of());
        }
    }

    /**
     * The report of a scoring, as it stands.
     *
     * @throws AssayException NOT_FOUND when the campaign is no scoring
     */
    @ReadOnly
    public Paged report(StoredCampaign scoring, PageRequest flips) {
        if (!(scoring.purpose() instanceof Scoring(String of, var _, var _))) {
            throw new AssayException(
                    ErrorCode.NOT_FOUND,
                    "Campaign " + scoring.id() + " asks its branches itself: it scores no other campaign");
        }
        ErrorTreatment errors = scoring.definition().gate().demands().errors();
        List<OfBranch> tallies = new ArrayList<>();
        scoring.definition().branches().forEach(_ -> tallies.add(new OfBranch(scoring, errors)));
        int[] scored = new int[1];
        cells.each(scoring.id(), cell -> {
            add(scoring, tallies.get(cell.branchIndex()), cell);
            scored[0]++;
        });
        UsedEvaluators used = UsedEvaluators.of(cells.before(scoring.id()), evaluators.used(scoring.id(), null));
        ScoredCells.Calls calls = cells.calls(scoring.id());
        Page<ScoredFlip> page = cells.flips(scoring.id(), flips);
        ScoringReport report = new ScoringReport(
                of,
                scoring.id(),
                scoring.state().ended(),
                new ScoringReport.Progress(
                        scored[0] + cells.waiting(scoring.id()), scored[0], calls.count(), calls.costUsd()),
                cells.unscored(scoring.id()),
                used,
                new ScoringReport.Verdicts(cells.verdict(of).orElse(null), scoring.verdict()),
                used.warnings(),
                branches(scoring, errors, tallies),
                page.items());
        return new Paged(report, page.nextPageToken());
    }

    private static void add(StoredCampaign scoring, OfBranch tally, ScoredCells.Cell cell) {
        tally.before.add(cell.ordinal(), cell.status(), cell.before());
        tally.after.add(cell.ordinal(), cell.status(), cell.after());
        boolean isAnswer = cell.status().isAnswer();
        // An outcome without an answer says nothing of evaluators.
        tally.flips.add(
                scoring.grid().caseIndex(cell.ordinal()),
                isAnswer ? cell.passedBefore() : null,
                isAnswer ? cell.passed() : null);
    }

    private List<ScoredBranch> branches(StoredCampaign scoring, ErrorTreatment errors, List<OfBranch> tallies) {
        GroupBy groupBy = scoring.definition().groupBy();
        List<String> groups = groupBy == null ? null : cases.groups(scoring.suiteId(), groupBy);
        List<ScoredBranch> branches = new ArrayList<>();
        List<Branch> definitions = scoring.definition().branches();
        for (int i = 0; i < definitions.size(); i++) {
            OfBranch tally = tallies.get(i);
            branches.add(new ScoredBranch(
                    definitions.get(i).id(),
                    tally.flips.statistics(),
                    rate(tally.before, errors, groups),
                    rate(tally.after, errors, groups)));
        }
        return ScoredBranch.adjusted(branches);
    }

    private static Proportion rate(EvidenceTally tally, ErrorTreatment errors, @Nullable List<String> groups) {
        return new BranchEvidence(tally.cases(), errors, groups).trialRate();
    }
}
