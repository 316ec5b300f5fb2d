package dev.assay.activities.judging;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.campaignfile.DefinitionReader;
import dev.assay.domain.grading.GradeQuestion;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.selection.JudgePlan;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.delivery.EnlistRepository;
import dev.assay.store.delivery.EnlistRepository.Place;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The calls of judges and graders that are not made now, since they go out in a batch of their provider. Only first calls do: they
 * depend on outcomes alone. A later one would cost the hours of another batch.
 */
@Singleton
class CallWishes {

    private final EnlistRepository cells;

    CallWishes(EnlistRepository cells) {
        this.cells = cells;
    }

    /** The judges' calls of a trial that depend on nothing but its outcomes, by their slots. */
    static Set<Integer> firstCalls(StoredCampaign campaign, int ordinal, List<Outcome> shown) {
        return first(campaign, ordinal, shown).stream().map(JudgeQuestion::slot).collect(Collectors.toSet());
    }

    /** The same with what they ask. */
    static List<JudgeQuestion> first(StoredCampaign campaign, int ordinal, List<Outcome> shown) {
        return JudgePlan.next(campaign.definition().strategy(), campaign.grid().trial(ordinal), shown, List.of())
                        instanceof JudgePlan.Step.Ask(List<JudgeQuestion> questions)
                ? questions
                : List.of();
    }

    /**
     * Takes the calls out of {@code next} that go out.
     *
     * @param shown the outcomes that the judges of each trial read
     * @return the trials that wait for them
     */
    Set<Integer> judges(
            StoredCampaign campaign,
            int epoch,
            JudgePolicy policy,
            Map<Integer, List<Outcome>> shown,
            Map<Integer, List<JudgeQuestion>> next) {
        if (policy.judges().stream().noneMatch(judge -> judge.delivery().mayBeOut())) {
            return Set.of();
        }
        Set<Place> wanted = new HashSet<>();
        next.forEach((ordinal, questions) -> {
            Set<Integer> first = firstCalls(campaign, ordinal, shown.getOrDefault(ordinal, List.of()));
            questions.stream()
                    .filter(question -> question.repair() == null && first.contains(question.slot()))
                    .filter(question ->
                            policy.judgeOf(question.slot()).delivery().mayBeOut())
                    .forEach(question -> wanted.add(new Place(ordinal, question.slot())));
        });
        Set<Place> out = wish(campaign, epoch, CellKind.JUDGE, wanted);
        next.replaceAll((ordinal, questions) -> questions.stream()
                .filter(question -> !out.contains(new Place(ordinal, question.slot())))
                .toList());
        next.values().removeIf(List::isEmpty);
        return ordinals(out);
    }

    /** Whether a grader's call may go out. */
    static boolean mayBeOut(StoredCampaign campaign, GradeQuestion question) {
        return !question.slot().isRepair()
                && DefinitionReader.grader(campaign.definition(), question.rule())
                        .delivery()
                        .mayBeOut();
    }

    /** Those of the given calls of graders that go out. */
    Set<Place> graders(StoredCampaign campaign, int epoch, Collection<Place> calls) {
        return wish(campaign, epoch, CellKind.GRADE, calls);
    }

    private Set<Place> wish(StoredCampaign campaign, int epoch, CellKind kind, Collection<Place> calls) {
        return calls.isEmpty() ? Set.of() : cells.wish(new RunKey(campaign.id(), epoch), kind, calls);
    }

    static Set<Integer> ordinals(Set<Place> calls) {
        return calls.stream().map(Place::ordinal).collect(Collectors.toCollection(TreeSet::new));
    }
}
