package com.example;

import dev.assay.domain.evaluation.EvaluationDecision;
import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.evaluation.StrategyAnswer;
import dev.assay.domain.evaluation.StrategyContext;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.usage.Usage;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Takes the branch that said most, over all that it said; the last of equals. */
public final class LongestResponseEvaluation implements SelectionStrategy {

    @Override
    public String name() {
        return "longest-response";
    }

    @Override
    public StrategyAnswer select(List<Message> prompts, List<Outcome> outcomes, StrategyContext context) {
        int index = IntStream.range(0, outcomes.size())
                .boxed()
                .max(Comparator.comparing(i -> length(outcomes.get(i))))
                .orElse(0);
        String reason =
                "The longest of " + outcomes.size() + " responses, " + length(outcomes.get(index)) + " characters.";
        return new StrategyAnswer(new EvaluationDecision.Select(index, reason), Usage.NONE);
    }

    /** The sum of all text content lengths across new messages. */
    private static int length(Outcome outcome) {
        return outcome.newMessages().stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .flatMap(message -> message.content().stream())
                .mapToInt(content -> content instanceof Content.Text(String text) ? text.length() : 0)
                .sum();
    }
}
