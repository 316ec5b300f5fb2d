package dev.assay.web.evaluation;

import dev.assay.domain.campaign.BaseContext;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.campaign.CancelPolicy;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.gate.TrialScore;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.selection.Selector;
import dev.assay.domain.suite.Case;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageTotal;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evaluation.EvaluationRepository;
import dev.assay.store.evaluation.StoredEvaluation;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.OutcomeRow;
import dev.assay.store.result.SelectionQueries;
import dev.assay.store.result.TrialSelection;
import dev.assay.store.suite.CaseRepository;
import dev.assay.web.evaluation.EvaluationListItem.ListedOutcome;
import dev.assay.web.evaluation.EvaluationView.BranchOutcome;
import dev.assay.web.evaluation.EvaluationView.Decision;
import dev.assay.web.evaluation.EvaluationView.SelectedContext;
import dev.assay.web.outcome.JudgeCallView;
import dev.assay.web.outcome.OutcomeError;
import dev.assay.web.outcome.SelectionView;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Evaluations as clients see them. */
@Singleton
final class EvaluationQueries implements EvaluationReads<StoredEvaluation, EvaluationView> {

    /** An evaluation has one trial of one case. */
    private static final int ONLY = 0;

    /** More than an evaluation has. */
    private static final int BRANCHES = 1_000;

    private final EvaluationRepository evaluations;
    private final OutcomeQueries results;
    private final SelectionQueries selections;
    private final OutcomeRepository outcomes;
    private final CaseRepository cases;
    private final EvaluationProgress progress;

    EvaluationQueries(
            EvaluationRepository evaluations,
            OutcomeQueries results,
            SelectionQueries selections,
            OutcomeRepository outcomes,
            CaseRepository cases,
            EvaluationProgress progress) {
        this.evaluations = evaluations;
        this.results = results;
        this.selections = selections;
        this.outcomes = outcomes;
        this.cases = cases;
        this.progress = progress;
    }

    /**
     * The evaluation.
     *
     * @throws AssayException NOT_FOUND
     */
    @Override
    public StoredEvaluation required(String evaluationId) {
        return evaluations
                .find(evaluationId)
                .orElseThrow(() -> new AssayException(ErrorCode.NOT_FOUND, "There is no evaluation " + evaluationId));
    }

    @Override
    public boolean hasEnded(StoredEvaluation evaluation) {
        return evaluation.campaign().state().ended();
    }

    /** Whether it has ended and no part of it still runs: its result does not change. */
    @Override
    public boolean isSettled(StoredEvaluation evaluation) {
        return hasEnded(evaluation) && !evaluations.isBusy(evaluation.id());
    }

    /** Without what was said to models: of a few evaluations that may be more than memory takes. */
    Page<EvaluationListItem> list(@Nullable String sessionId, PageRequest request) {
        return evaluations.list(sessionId, request).map(this::listed);
    }

    private EvaluationListItem listed(StoredEvaluation evaluation) {
        String id = evaluation.id();
        List<OutcomeRow> said = new ArrayList<>();
        Page.forEach(token -> results.page(id, OutcomeFilter.ALL, PageRequest.of(token, BRANCHES)), said::add);
        return item(evaluation, selection(evaluation), said, selections.spend(id, ONLY));
    }

    @Override
    public long octets(StoredEvaluation evaluation) {
        return results.octets(evaluation.id(), ONLY);
    }

    @Override
    public EvaluationView view(StoredEvaluation evaluation) {
        StoredCampaign campaign = evaluation.campaign();
        List<OutcomeRow> said = results.transcripts(campaign.id(), ONLY);
        List<FinishedJudgeCall> judged =
                selections.judgeCalls(campaign.id(), List.of(ONLY)).getOrDefault(ONLY, List.of());
        Selection selection = selection(evaluation);
        EvaluationListItem item = item(
                evaluation,
                selection,
                said,
                judged.stream().map(FinishedJudgeCall::measured).toList());
        OutcomeRow winner = winner(selection, said);
        return EvaluationView.of(
                item,
                winner == null ? null : winner.outcome().answer().newMessages(),
                winner == null ? null : selectedContext(evaluation, winner),
                said.stream().map(row -> outcome(row, item.selectedIndex())).toList(),
                item.selection() == null ? null : decision(item.selection(), campaign.definition(), judged),
                progress.of(campaign));
    }

    private static @Nullable OutcomeRow winner(@Nullable Selection selection, List<OutcomeRow> said) {
        Integer index = selection == null ? null : selection.selectedIndex();
        return said.stream()
                .filter(row -> Objects.equals(row.outcome().branchIndex(), index))
                .findFirst()
                .orElse(null);
    }

    /**
     * What lists show of an evaluation.
     *
     * @param judged what its judge calls took
     */
    private static EvaluationListItem item(
            StoredEvaluation evaluation, @Nullable Selection selection, List<OutcomeRow> said, List<Measured> judged) {
        StoredCampaign campaign = evaluation.campaign();
        OutcomeRow winner = winner(selection, said);
        Integer index = winner == null ? null : winner.outcome().branchIndex();
        Usage strategyUsage = selection == null ? Usage.NONE : selection.usage();
        UsageTotal decided = UsageTotal.of(
                Stream.concat(Stream.of(strategyUsage), judged.stream().map(Measured::usage)));
        UsageTotal all = decided.plus(
                UsageTotal.of(said.stream().map(row -> row.outcome().usage())));
        return new EvaluationListItem(
                campaign.id(),
                campaign.name(),
                evaluation.sessionId(),
                evaluation.continuesId(),
                state(campaign, winner),
                index,
                winner == null ? null : winner.branchId(),
                winner == null ? null : winner.outcome().loopId(),
                said.stream().map(row -> ListedOutcome.of(row, index)).toList(),
                decided.usage(),
                decided.unknownUsage(),
                all.usage(),
                all.unknownUsage(),
                strategyUsage.equals(Usage.NONE) ? costUsd(said, judged) : null,
                latencyMs(campaign),
                selection == null ? null : SelectionView.of(selection, campaign.definition()),
                error(campaign, selection, winner),
                campaign.warnings().stream().map(CampaignWarning.Code::warning).toList(),
                campaign.createdAt(),
                campaign.createdBy(),
                campaign.times().finished());
    }

    /** The usage that the evaluation's strategy reports for itself. */
    Usage strategyUsage(StoredEvaluation evaluation) {
        Selection selection = selection(evaluation);
        return selection == null ? Usage.NONE : selection.usage();
    }

    /** The strategy's decision. For a cancelled evaluation it follows from the branches that completed, if that is wanted. */
    private @Nullable Selection selection(StoredEvaluation evaluation) {
        StoredCampaign campaign = evaluation.campaign();
        TrialSelection recorded = selections.find(campaign.id(), ONLY).orElse(null);
        if (recorded != null || campaign.state() != CampaignState.CANCELLED) {
            return recorded == null ? null : recorded.selection();
        }
        if (evaluation.onCancel() == CancelPolicy.DISCARD) {
            return null;
        }
        List<Outcome> done = outcomes.forSelection(
                        campaign.id(),
                        List.of(ONLY),
                        campaign.definition().strategy().readsChecks())
                .getOrDefault(ONLY, List.of());
        return Selector.whenCancelled(campaign.definition().strategy(), done);
    }

    /** A campaign whose only trial has no winner is complete; an evaluation without an answer has failed (docs/evaluations.md). */
    private static CampaignState state(StoredCampaign campaign, @Nullable OutcomeRow winner) {
        return campaign.state() == CampaignState.COMPLETED && winner == null ? CampaignState.FAILED : campaign.state();
    }

    /** The prompt of its branches. */
    Case evaluated(StoredEvaluation evaluation) {
        return Objects.requireNonNull(
                cases.find(evaluation.campaign().suiteId(), List.of(ONLY)).get(ONLY));
    }

    private SelectedContext selectedContext(StoredEvaluation evaluation, OutcomeRow winner) {
        List<Message> messages = Stream.concat(
                        evaluated(evaluation).context().stream(), winner.outcome().answer().newMessages().stream())
                .toList();
        Branch branch = evaluation
                .campaign()
                .definition()
                .branches()
                .get(winner.outcome().branchIndex());
        return SelectedContext.of(BaseContext.of(branch, messages));
    }

    private static BranchOutcome outcome(OutcomeRow row, @Nullable Integer selectedIndex) {
        Outcome outcome = row.outcome();
        return new BranchOutcome(
                row.branchId(),
                outcome.loopId(),
                outcome.status(),
                Objects.equals(outcome.branchIndex(), selectedIndex),
                outcome.answer().originalContextLength(),
                outcome.answer().newMessages(),
                outcome.response(),
                outcome.usage(),
                outcome.costUsd(),
                outcome.latency().toMillis(),
                outcome.end().attempts(),
                TrialScore.of(outcome),
                outcome.checks(),
                row.warnings(),
                outcome.answer().provenance().requested(),
                outcome.answer().provenance().effective(),
                outcome.answer().provenance().served(),
                OutcomeError.of(outcome.failure()));
    }

    /** The sum; null as soon as one cost is unknown: a part would look like the whole. */
    private static @Nullable BigDecimal costUsd(List<OutcomeRow> said, List<Measured> judged) {
        List<@Nullable BigDecimal> costs = Stream.concat(
                        said.stream().map(row -> row.outcome().costUsd()),
                        judged.stream().map(Measured::costUsd))
                .toList();
        return costs.isEmpty() || costs.contains(null)
                ? null
                : costs.stream().map(Objects::requireNonNull).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static @Nullable Long latencyMs(StoredCampaign campaign) {
        return campaign.times().started() == null || campaign.times().finished() == null
                ? null
                : Duration.between(campaign.times().started(), campaign.times().finished())
                        .toMillis();
    }

    private static Decision decision(
            SelectionView selection, CampaignDefinition definition, List<FinishedJudgeCall> judged) {
        return new Decision(
                selection,
                judged.stream().map(call -> JudgeCallView.of(call, definition)).toList());
    }

    private static @Nullable OutcomeError error(
            StoredCampaign campaign, @Nullable Selection selection, @Nullable OutcomeRow winner) {
        if (winner != null || !campaign.state().ended()) {
            return null;
        }
        if (campaign.failureReason() != null) {
            return new OutcomeError(ErrorCode.INTERNAL.name(), campaign.failureReason());
        }
        if (campaign.state() == CampaignState.CANCELLED) {
            return new OutcomeError(ErrorCode.CANCELLED.name(), "The evaluation was cancelled.");
        }
        return new OutcomeError(
                ErrorCode.ALL_BRANCHES_FAILED.name(), selection == null ? "No branch completed." : selection.reason());
    }
}
