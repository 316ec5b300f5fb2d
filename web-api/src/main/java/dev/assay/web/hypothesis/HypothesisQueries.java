package dev.assay.web.hypothesis;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.hypothesis.BatchEnd;
import dev.assay.domain.hypothesis.ChallengeReply;
import dev.assay.domain.hypothesis.HypothesisResult;
import dev.assay.domain.usage.UsageTotal;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evaluation.EvaluationRepository;
import dev.assay.store.hypothesis.BatchRow;
import dev.assay.store.hypothesis.HypothesisRepository;
import dev.assay.store.hypothesis.StoredHypotheses;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.web.evaluation.EvaluationProgress;
import dev.assay.web.evaluation.EvaluationReads;
import dev.assay.web.evaluation.EvaluationView;
import dev.assay.web.hypothesis.HypothesisEvaluationView.Metrics;
import dev.assay.web.hypothesis.HypothesisEvaluationView.Plan;
import dev.assay.web.hypothesis.HypothesisEvaluationView.Scored;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Hypothesis evaluations as clients see them. */
@Singleton
final class HypothesisQueries implements EvaluationReads<StoredHypotheses, HypothesisEvaluationView> {

    /** Errors that end a batch for now only: it is asked again when the evaluation goes on. */
    private static final Set<ErrorCode> FOR_NOW = Set.of(ErrorCode.CANCELLED, ErrorCode.BUDGET_EXCEEDED);

    private static final Failure CANCELLED =
            new Failure(ErrorCode.CANCELLED, "The evaluation was cancelled before the batch was answered.");

    private final HypothesisRepository hypotheses;
    private final EvaluationRepository evaluations;
    private final EvaluationProgress progress;

    HypothesisQueries(HypothesisRepository hypotheses, EvaluationRepository evaluations, EvaluationProgress progress) {
        this.hypotheses = hypotheses;
        this.evaluations = evaluations;
        this.progress = progress;
    }

    /**
     * The evaluation.
     *
     * @throws AssayException NOT_FOUND
     */
    @Override
    public StoredHypotheses required(String evaluationId) {
        return hypotheses
                .find(evaluationId)
                .orElseThrow(() ->
                        new AssayException(ErrorCode.NOT_FOUND, "There is no hypothesis evaluation " + evaluationId));
    }

    @Override
    public boolean hasEnded(StoredHypotheses evaluation) {
        return evaluation.campaign().state().ended();
    }

    /** Whether it has ended and no part of it still runs: its result does not change. */
    @Override
    public boolean isSettled(StoredHypotheses evaluation) {
        return hasEnded(evaluation) && !evaluations.isBusy(evaluation.id());
    }

    Page<HypothesisListItem> list(PageRequest request) {
        return hypotheses.list(request).map(one -> HypothesisListItem.of(view(one, null)));
    }

    @Override
    public long octets(StoredHypotheses evaluation) {
        return hypotheses.octets(evaluation.id());
    }

    @Override
    public HypothesisEvaluationView view(StoredHypotheses evaluation) {
        return view(evaluation, progress.of(evaluation.campaign()));
    }

    /** @param soFar null: it has ended, or is not shown */
    private HypothesisEvaluationView view(StoredHypotheses evaluation, EvaluationView.@Nullable Progress soFar) {
        StoredCampaign campaign = evaluation.campaign();
        List<BatchRow> batches = hypotheses.batches(evaluation.id());
        HypothesisResult result = HypothesisResult.of(
                evaluation.rubric(),
                batches.stream().map(BatchRow::ids).toList(),
                batches.stream()
                        .map(batch -> end(evaluation, batch))
                        .filter(Objects::nonNull)
                        .toList());
        UsageTotal tokens = UsageTotal.of(ends(batches).map(BatchRow.End::usage));
        return new HypothesisEvaluationView(
                evaluation.id(),
                state(campaign, result),
                result.error(batches.size()),
                plan(evaluation, batches),
                result.scored().stream().map(Scored::of).toList(),
                result.rejected().stream().map(Scored::of).toList(),
                result.unscored(),
                result.errors(),
                result.warnings(),
                result.summary(),
                metrics(campaign, batches.size(), result),
                tokens.usage(),
                tokens.unknownUsage(),
                ends(batches)
                        .map(BatchRow.End::costUsd)
                        .filter(Objects::nonNull)
                        .reduce(BigDecimal::add)
                        .orElse(null),
                soFar,
                campaign.createdAt(),
                campaign.createdBy(),
                campaign.times().finished());
    }

    private static Stream<BatchRow.End> ends(List<BatchRow> batches) {
        return batches.stream().map(BatchRow::end).filter(Objects::nonNull);
    }

    /** The end of a batch; null: it goes on. */
    private static @Nullable BatchEnd end(StoredHypotheses evaluation, BatchRow batch) {
        StoredCampaign campaign = evaluation.campaign();
        BatchRow.End end = batch.end();
        Failure failure = end == null ? never(campaign) : end.failure();
        boolean goesOn = !campaign.state().ended();
        if (goesOn && (end == null || (failure != null && FOR_NOW.contains(failure.code())))) {
            return null;
        }
        return new BatchEnd(
                batch.index(),
                ChallengeReply.read(evaluation.rubric(), batch.ids(), end == null ? List.of() : end.replies()),
                failure == null ? null : failure.code() + ": " + failure.message());
    }

    /** The reason why a batch of an evaluation that has ended was never answered. */
    private static Failure never(StoredCampaign campaign) {
        String reason = campaign.failureReason();
        return reason == null ? CANCELLED : new Failure(ErrorCode.INTERNAL, reason);
    }

    /** A campaign whose cells are final is complete; an evaluation that scored nothing has failed. */
    private static CampaignState state(StoredCampaign campaign, HypothesisResult result) {
        return campaign.state() == CampaignState.COMPLETED && result.isFailure()
                ? CampaignState.FAILED
                : campaign.state();
    }

    private static Plan plan(StoredHypotheses evaluation, List<BatchRow> batches) {
        return new Plan(
                evaluation.plan().mode().word(),
                evaluation.plan().batchSize(),
                evaluation.plan().maxConcurrent(),
                batches.stream().map(BatchRow::ids).toList(),
                evaluation.shuffleSeed(),
                batches.stream().map(BatchRow::shown).toList());
    }

    private Metrics metrics(StoredCampaign campaign, int batches, HypothesisResult result) {
        HypothesisRepository.Requests requests = hypotheses.requests(campaign.id());
        StoredCampaign.Times times = campaign.times();
        return new Metrics(
                times.started() == null || times.finished() == null
                        ? null
                        : Duration.between(times.started(), times.finished()).toMillis(),
                requests.calls(),
                requests.repairs(),
                batches,
                result.errors().size(),
                result.partialFailureRate(batches));
    }
}
