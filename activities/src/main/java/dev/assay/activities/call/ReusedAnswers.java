package dev.assay.activities.call;

import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CaseReads;
import dev.assay.domain.compaction.LoopCompaction;
import dev.assay.domain.draw.RequestIdentity;
import dev.assay.domain.draw.RequestName;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.domain.draw.ReusePolicy.Call;
import dev.assay.domain.message.Message;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.suite.Case;
import dev.assay.store.reuse.ReusableAnswer;
import dev.assay.store.reuse.ReusableCall;
import dev.assay.store.reuse.ReusableCalls;
import dev.assay.store.reuse.ReuseLookups;
import dev.assay.store.reuse.ReuseRepository.Wanted;
import dev.assay.store.suite.CaseRepository;
import dev.assay.work.compute.LastUsed;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names the requests of branches, and finds the stored answers to them. */
@Singleton
public class ReusedAnswers {

    /** Suites whose equal cases are remembered. */
    private static final int SUITES = 16;

    /** Stored answers that this process holds at once: each may have megabytes. */
    private static final int AT_ONCE = 100;

    private final ReuseLookups answers;
    private final ReusableCalls calls;
    private final CaseRepository cases;
    private final ModelResolver models;
    private final ProviderCatalog providers;
    private final Semaphore room = new Semaphore(AT_ONCE);
    private final Map<AskedSuite, EqualCases> equalCases = new LastUsed<>(SUITES);

    public ReusedAnswers(
            ReuseLookups answers,
            ReusableCalls calls,
            CaseRepository cases,
            ModelResolver models,
            ProviderCatalog providers) {
        this.answers = answers;
        this.calls = calls;
        this.cases = cases;
        this.models = models;
        this.providers = providers;
    }

    private record AskedSuite(String suiteId, CaseReads reads) {}

    /** Whether answers of the campaign's calls of a kind are looked for. */
    public static boolean areWanted(CampaignDefinition definition, Call call) {
        ReusePolicy policy = definition.reuse();
        return policy != null && policy.calls().contains(call);
    }

    /**
     * The name of the request of a branch.
     *
     * @param asked the branch as it is asked, and the case with its prompts
     * @return null: the answer cannot be reused
     */
    public @Nullable RequestName name(CellAttempt attempt, Branch asked, Case suiteCase) {
        if (!asked.isReusable() || attempt.campaign().isUrgent()) {
            return null;
        }
        List<Message> messages = Stream.concat(suiteCase.context().stream(), suiteCase.prompts().stream())
                .toList();
        Integer window = asked.maxContextTokens();
        if (window != null && LoopCompaction.tokens(asked.systemPrompt(), messages) > window) {
            return null;
        }
        String key = key(asked.agent(), asked.systemPrompt(), messages, false);
        return key == null ? null : new RequestName(key, rank(attempt));
    }

    /**
     * The key of a request.
     *
     * @param compares whether embeddings are asked for instead of an answer
     * @return null: no model of a provider that this process knows is asked
     */
    public @Nullable String key(Agent agent, @Nullable String systemPrompt, List<Message> messages, boolean compares) {
        ModelChoice choice = agent.modelAsked().orElse(null);
        String endpoint = choice == null ? null : endpoint(choice.provider());
        return choice == null || endpoint == null
                ? null
                : new RequestIdentity(
                                endpoint, choice, models.maxOutputTokens(choice), systemPrompt, messages, compares)
                        .key();
    }

    private @Nullable String endpoint(String provider) {
        return providers
                .settings(provider)
                .map(ProviderSettings::apiUrl)
                .map(url -> RequestIdentity.endpoint(URI.create(url)))
                .orElse(null);
    }

    /** Equal branches and equal cases ask the same, so each worker comes to the same rank. */
    private int rank(CellAttempt attempt) {
        CampaignDefinition definition = attempt.campaign().definition();
        List<Integer> alike = definition.alike(attempt.slot());
        CaseReads reads = CaseReads.of(definition.branches().get(attempt.slot()).wording());
        int caseIndex = attempt.campaign().grid().caseIndex(attempt.ordinal());
        int earlier = earlierEquals(new AskedSuite(attempt.campaign().suiteId(), reads))
                .getOrDefault(caseIndex, 0);
        return earlier * alike.size() + alike.indexOf(attempt.slot());
    }

    private Map<Integer, Integer> earlierEquals(AskedSuite suite) {
        EqualCases equal;
        synchronized (equalCases) {
            equal = equalCases.computeIfAbsent(suite, EqualCases::new);
        }
        return equal.earlier();
    }

    /** The cases of a suite that are asked alike. One thread looks for them; only cells of this suite wait for it. */
    private final class EqualCases {

        private final AskedSuite suite;
        private @Nullable Map<Integer, Integer> earlier;

        EqualCases(AskedSuite suite) {
            this.suite = suite;
        }

        synchronized Map<Integer, Integer> earlier() {
            if (earlier == null) {
                earlier = cases.earlierEquals(
                        suite.suiteId(), suite.reads().prompts(), suite.reads().vars());
            }
            return earlier;
        }
    }

    /** The stored call that stands in for one of a judge or grader; empty: there is none, and it is made. */
    public Optional<ReusableCall> call(CellAttempt attempt, String key) {
        ReusePolicy policy = attempt.campaign().definition().reuse();
        return policy == null
                ? Optional.empty()
                : calls.find(attempt.campaign(), policy, attempt.ordinal(), attempt.slot(), attempt.trial(), key);
    }

    /** What is done with a stored answer. */
    @FunctionalInterface
    public interface Use {
        /** Whether it was recorded; false: the cell is asked. */
        boolean take(ReusableAnswer answer) throws InterruptedException;
    }

    /** Whether there is a stored answer to the request of a branch. */
    public boolean isOnRecord(CellAttempt attempt, RequestName request) throws InterruptedException {
        ReusePolicy policy = attempt.campaign().definition().reuse();
        return policy != null
                && answers.find(new Wanted(
                                attempt.campaign(),
                                policy,
                                attempt.ordinal(),
                                attempt.slot(),
                                attempt.trial(),
                                request))
                        .isPresent();
    }

    /**
     * Uses the stored answer to the request of a branch, if there is one.
     *
     * @return whether it was recorded
     */
    public boolean use(CellAttempt attempt, RequestName request, Use use) throws InterruptedException {
        ReusePolicy policy = attempt.campaign().definition().reuse();
        if (policy == null) {
            return false;
        }
        room.acquire();
        try {
            Optional<ReusableAnswer> found = answers.find(new Wanted(
                    attempt.campaign(), policy, attempt.ordinal(), attempt.slot(), attempt.trial(), request));
            return found.isPresent() && use.take(found.get());
        } finally {
            room.release();
        }
    }
}
