package dev.assay.activities.evaluator;

import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.check.Check;
import dev.assay.domain.evaluator.CheckEvaluator;
import dev.assay.domain.evaluator.Evaluator;
import dev.assay.domain.evaluator.JudgeEvaluator;
import dev.assay.domain.evaluator.UsedCode;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.selection.Strategy;
import dev.assay.store.journal.JournalEntry.NoteEvaluator;
import dev.assay.store.journal.RunJournal;
import jakarta.inject.Singleton;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hashes of evaluators. One that a verdict is about to name is noted in the store first. What was computed and noted is remembered,
 * so that a campaign pays for a check of its definition once, not for each cell.
 */
@Singleton
public class EvaluatorBook {

    private static final Logger LOG = LoggerFactory.getLogger(EvaluatorBook.class);

    private static final int MOST = 5_000;

    /** Longer definitions are not remembered: what is remembered has a bound in bytes. */
    private static final int LONGEST = 4_000;

    private final RunJournal journal;
    private final ProviderCatalog providers;
    private final Recent<Object, Evaluator> computed = new Recent<>(MOST);
    private final Recent<String, Boolean> noted = new Recent<>(MOST);

    EvaluatorBook(RunJournal journal, ProviderCatalog providers) {
        this.journal = journal;
        this.providers = providers;
    }

    private record OfCheck(Check check, UsedCode code) {}

    private record OfGrader(Check check, UsedCode code, Agent grader) {}

    private record OfJudge(Strategy strategy, Judge judge, UsedCode code) {}

    /** The hash of a check that no model decides. */
    public String check(String campaignId, Check check, UsedCode code) {
        // Most checks use no code, and are looked up for each cell.
        Object key = code.equals(UsedCode.NONE) ? check : new OfCheck(check, code);
        return noted(campaignId, key, () -> CheckEvaluator.of(check, code));
    }

    /** The hash of the transforms that made nothing of an answer. */
    public String transforms(String campaignId, UsedCode code) {
        return noted(campaignId, code, () -> CheckEvaluator.ofTransforms(code));
    }

    /** The hash of a check that {@code grader} decides. */
    public String grader(String campaignId, Check check, UsedCode code, Agent grader) {
        return noted(
                campaignId,
                new OfGrader(check, code, grader),
                () -> CheckEvaluator.of(check, code, grader, endpoint(grader)));
    }

    /** The hash of one of the judges of a strategy. */
    public String judge(String campaignId, Strategy strategy, JudgePolicy policy, Judge judge, UsedCode code) {
        return noted(
                campaignId,
                new OfJudge(strategy, judge, code),
                () -> JudgeEvaluator.of(strategy, policy, judge, code, endpoint(judge.agent())));
    }

    /** The settings of this process do not change. */
    private @Nullable String endpoint(Agent agent) {
        return agent.modelAsked()
                .flatMap(choice -> providers.settings(choice.provider()))
                .map(ProviderSettings::apiUrl)
                .orElse(null);
    }

    private String noted(String campaignId, Object key, Supplier<Evaluator> make) {
        Evaluator evaluator = computed.get(key);
        if (evaluator == null) {
            evaluator = make.get();
            if (evaluator.definition().length() <= LONGEST) {
                computed.put(key, evaluator);
            }
        }
        note(campaignId, evaluator);
        return evaluator.hash();
    }

    private void note(String campaignId, Evaluator evaluator) {
        String hash = evaluator.hash();
        if (noted.get(hash) != null) {
            return;
        }
        var _ = journal.note(new NoteEvaluator(campaignId, evaluator)).whenComplete((_, refused) -> {
            if (refused != null) {
                LOG.warn("The evaluator {} could not be noted; results name it all the same", hash, refused);
            }
            // What was refused would be refused again, and take other results out of their group each time.
            noted.put(hash, true);
        });
    }
}
