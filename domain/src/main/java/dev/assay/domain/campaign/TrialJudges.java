package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The models that read the answers of a trial before its winner is recorded: graders, judges, and those that a custom strategy asks.
 *
 * @param names for people, such as {@code judge gpt-5}; not blank
 * @param fewestAnswers branches that must have answered before a model reads anything: 2 where only judges read, else 1
 */
public record TrialJudges(String names, int fewestAnswers) {

    /** Of trials whose models are not known by name; a single answer may be read. */
    public static final TrialJudges UNNAMED = new TrialJudges("judge", 1);

    /** Code points of the names, so that a trial's name has room beside them. */
    static final int LONGEST_NAMES = 100;

    public TrialJudges {
        if (names.isBlank() || names.codePointCount(0, names.length()) > LONGEST_NAMES) {
            throw new IllegalArgumentException(
                    "names has 1 to " + LONGEST_NAMES + " characters, not \"" + names + "\"");
        }
        if (fewestAnswers < 1 || fewestAnswers > 2) {
            throw new IllegalArgumentException("fewestAnswers is 1 or 2, not " + fewestAnswers);
        }
    }

    /** Those of a campaign; empty when no model reads the answers of its trials. */
    public static Optional<TrialJudges> of(CampaignDefinition definition) {
        List<String> names = new ArrayList<>();
        if (!definition.graders().isEmpty()) {
            names.add(named("grader", definition.graderAgents()));
        }
        List<Agent> judges = definition.judging().map(JudgePolicy::judges).orElse(List.of()).stream()
                .map(Judge::agent)
                .toList();
        if (!judges.isEmpty()) {
            names.add(named("judge", judges));
        }
        definition
                .strategy()
                .plugin()
                .filter(Strategy.Custom::mayAsk)
                .ifPresent(custom -> names.add("strategy " + custom.name()));
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(new TrialJudges(
                        Excerpt.shortened(String.join(", ", names), LONGEST_NAMES),
                        names.size() == 1 && !judges.isEmpty() ? 2 : 1));
    }

    private static String named(String word, List<Agent> agents) {
        List<String> models =
                agents.stream().map(agent -> agent.name().model()).distinct().toList();
        return word + (models.size() > 1 ? "s " : " ") + models.stream().collect(Collectors.joining(", "));
    }
}
