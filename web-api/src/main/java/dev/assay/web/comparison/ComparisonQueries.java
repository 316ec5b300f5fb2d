package dev.assay.web.comparison;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaignfile.DefinitionWriter;
import dev.assay.domain.comparison.BranchRef;
import dev.assay.domain.comparison.ComparedBranch;
import dev.assay.domain.comparison.ComparedCase;
import dev.assay.domain.comparison.ComparedEvaluators;
import dev.assay.domain.comparison.Comparison;
import dev.assay.domain.comparison.ComparisonReport;
import dev.assay.domain.comparison.DefinitionDifference;
import dev.assay.domain.comparison.PairedCases;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evidence.Draws;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.reducer.Reducer;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evaluator.EvaluatorRepository;
import dev.assay.store.evidence.DrawQueries;
import dev.assay.store.result.ComparisonRepository;
import dev.assay.store.result.ComparisonRepository.Wanted;
import dev.assay.web.campaign.CampaignQueries;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Two campaigns that have ended, or two branches of one, side by side. */
@Singleton
final class ComparisonQueries {

    private final CampaignQueries campaigns;
    private final ComparisonRepository cases;
    private final DrawQueries draws;
    private final EvaluatorRepository evaluators;
    private final Executor executor;

    ComparisonQueries(
            CampaignQueries campaigns,
            ComparisonRepository cases,
            DrawQueries draws,
            EvaluatorRepository evaluators,
            @Named(TaskExecutors.BLOCKING) ExecutorService executor) {
        this.campaigns = campaigns;
        this.cases = cases;
        this.draws = draws;
        this.evaluators = evaluators;
        this.executor = executor;
    }

    /** A branch of a campaign. */
    private record Side(StoredCampaign campaign, int branchIndex) {

        Branch branch() {
            return campaign.definition().branches().get(branchIndex);
        }

        ComparedBranch described(Draws draws) {
            return new ComparedBranch(
                    campaign.id(),
                    branch().id(),
                    campaign.name(),
                    campaign.suite().name(),
                    campaign.caseCount(),
                    campaign.trials(),
                    draws.ofBranch(branchIndex).size(),
                    draws.wholeReruns());
        }

        /** Its definition, as a campaign file has it; trials are those in force. */
        ObjectNode definition() {
            ObjectNode document = DefinitionWriter.write(campaign.definition(), null);
            ObjectNode branch = (ObjectNode) document.get("branches").get(branchIndex);
            branch.remove("id");
            document.remove(List.of("name", "branches"));
            document.set("branch", branch);
            document.put("trials", campaign.trials());
            document.putObject("suite").put("name", campaign.suite().name()).put("content", campaign.suiteId());
            return document;
        }
    }

    /**
     * Compares.
     *
     * @param further numbers to compare, beside those that the campaigns declare
     * @param maxDrop the drop of the trial rate that is accepted, 0–1
     * @param pairing what cases must have in common
     * @throws AssayException NOT_FOUND, CONFLICT for a campaign that has not ended, INVALID_INPUT when there is nothing to
     *     compare
     */
    ComparisonReport compare(BranchRef a, BranchRef b, List<Reducer> further, double maxDrop, Pairing pairing) {
        Side first = side(a);
        Side second = side(b);
        if (first.campaign().id().equals(second.campaign().id()) && first.branchIndex() == second.branchIndex()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "Both are branch " + first.branch().id() + " of campaign "
                            + first.campaign().id() + ": name two that differ");
        }
        boolean sameSuite = first.campaign().suiteId().equals(second.campaign().suiteId());
        List<Reducer> reducers = reducers(first, second, further);
        boolean withScores = reducers.stream().anyMatch(Reducer.Scored.class::isInstance);
        PairedCases paired =
                paired(first, second, new Wanted(sameSuite ? null : pairing, withScores, longest(first, second)));
        if (paired.shared().isEmpty()) {
            throw nothingShared(first.campaign(), second.campaign(), paired);
        }
        Comparison comparison =
                Comparison.of(paired, first.campaign().definition().gate().passThreshold(), reducers, maxDrop);
        return ComparisonReport.of(
                first.described(draws.of(first.campaign())),
                second.described(draws.of(second.campaign())),
                DefinitionDifference.of(first.definition(), second.definition()),
                comparison,
                maxDrop,
                cases.sharedDraws(first.campaign(), first.branchIndex(), second.campaign(), second.branchIndex()),
                pairing == Pairing.QUESTION
                        ? ComparedEvaluators.of(
                                evaluators.used(first.campaign().id(), first.branchIndex()),
                                evaluators.used(second.campaign().id(), second.branchIndex()))
                        : null);
    }

    /** Reads both sides at the same time, for a process of PostgreSQL reads only one. */
    private PairedCases paired(Side first, Side second, Wanted wanted) {
        CompletableFuture<List<ComparedCase>> meanwhile = CompletableFuture.supplyAsync(
                () -> cases.cases(second.campaign(), second.branchIndex(), wanted), executor);
        List<ComparedCase> cases = this.cases.cases(first.campaign(), first.branchIndex(), wanted);
        try {
            return PairedCases.of(cases, meanwhile.join());
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** The shorter of two time limits: what took longer with the one that has more time would have timed out with the other. */
    private static @Nullable Duration longest(Side first, Side second) {
        Duration one = first.campaign().definition().limits().timeout();
        Duration other = second.campaign().definition().limits().timeout();
        return one.equals(other) ? null : one.compareTo(other) < 0 ? one : other;
    }

    /** Those that either campaign declares, then {@code further}; each once. */
    private static List<Reducer> reducers(Side first, Side second, List<Reducer> further) {
        Map<String, Reducer> byName = new LinkedHashMap<>();
        Stream.of(
                        first.campaign().definition().reducers(),
                        second.campaign().definition().reducers(),
                        further)
                .flatMap(List::stream)
                .forEach(reducer -> byName.putIfAbsent(reducer.name(), reducer));
        return List.copyOf(byName.values());
    }

    private Side side(BranchRef ref) {
        StoredCampaign campaign = campaigns.required(ref.campaignId());
        if (!campaign.state().ended()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Campaign " + campaign.id() + " is " + campaign.state()
                            + ": only what has ended can be compared; wait for its end, or cancel it");
        }
        return new Side(
                campaign,
                ref.branchIndex(campaign.definition().branches().stream()
                        .map(Branch::id)
                        .toList()));
    }

    private static AssayException nothingShared(StoredCampaign a, StoredCampaign b, PairedCases cases) {
        return new AssayException(
                ErrorCode.INVALID_INPUT,
                "Campaigns " + a.id() + " and " + b.id() + " have no case in common"
                        + (cases.changed().isEmpty()
                                ? ""
                                : ": " + cases.changed().size() + " have the same id and another content"));
    }
}
