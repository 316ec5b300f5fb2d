package com.example;

import dev.assay.domain.evaluation.AskAnswer;
import dev.assay.domain.evaluation.EvaluationDecision;
import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.evaluation.StrategyAnswer;
import dev.assay.domain.evaluation.StrategyContext;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.usage.Usage;
import java.util.List;
import java.util.Locale;

/** Takes the shortest answer that a model calls correct; the first of equals. No branch wins when it calls none so. */
public final class ShortestAnswer implements SelectionStrategy {

    @Override
    public String name() {
        return "shortest-answer";
    }

    @Override
    public StrategyAnswer select(List<Message> prompts, List<Outcome> candidates, StrategyContext context) {
        int shortest = -1;
        for (int i = 0; i < candidates.size(); i++) {
            boolean shorter = shortest < 0 || length(candidates.get(i)) < length(candidates.get(shortest));
            if (shorter && isCorrect(prompts, candidates.get(i), context)) {
                shortest = i;
            }
        }
        EvaluationDecision decision = shortest < 0
                ? new EvaluationDecision.Undecided("No answer is correct.")
                : new EvaluationDecision.Select(
                        shortest, "The shortest that is correct, " + length(candidates.get(shortest)) + " characters.");
        return new StrategyAnswer(decision, Usage.NONE);
    }

    private static boolean isCorrect(List<Message> prompts, Outcome candidate, StrategyContext context) {
        String question = prompts.isEmpty() ? "" : prompts.getLast().text();
        AskAnswer answer = context.ask(
                "grader",
                List.of(Message.user("Question: " + question + "\nAnswer: " + candidate.response()
                        + "\nIs the answer correct? Reply with yes or no.")));
        context.progress("The grader says of branch " + candidate.branchIndex() + ": " + answer.text());
        return answer.text().strip().toLowerCase(Locale.ROOT).startsWith("yes");
    }

    private static int length(Outcome outcome) {
        return outcome.response().length();
    }
}
