package dev.assay.domain.grading;

import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.check.graded.QuestionRule;
import dev.assay.domain.check.graded.SimilarRule;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.Conversation;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgePrompt;
import dev.assay.domain.judge.ResponseDelimiter;
import dev.assay.domain.text.WhiteSpace;
import java.util.ArrayList;
import java.util.List;

/** The prompts that a grader reads. Recorded answers depend on every character. */
public final class GradePrompt {

    private static final Compaction NOTHING_CUT = new Compaction(null, 0, 0, 0, 0, 0, true);

    private static final String SYSTEM_PROMPT =
            "You are an impartial grader. You are given a query, a response to it, and what the response is measured"
                    + " by. Grade the response by that alone. Reply with ONLY the JSON object that you are asked for.";

    private static final String RUBRIC = """
        How well does the response meet the rubric? Reply with ONLY a JSON object with these fields, in this order: \
        `reason`, a sentence or two; `score`, a number from 0 (not at all) to 1 (fully); `pass`, true or false.\
        """;

    private static final String FACTUALITY = """
        How do the facts of the response compare with the reference? Differences of style, grammar and punctuation do not count.
        A: the response states a part of the reference, and agrees with it.
        B: the response states all of the reference and more, and agrees with it.
        C: the response states the same as the reference.
        D: the response and the reference contradict each other.
        E: they differ, but in nothing that matters for the facts.
        Reply with ONLY a JSON object with these fields, in this order: `reason`, a sentence or two; `category`, one of the \
        letters A, B, C, D and E.\
        """;

    private static final String CLOSED_QA = """
        Does the response meet the criterion? Reply with ONLY a JSON object with these fields, in this order: `reason`, a \
        sentence or two; `answer`, Y or N.\
        """;

    private GradePrompt() {}

    /** The prompt about {@code response}, which answers {@code conversation}. */
    static JudgePreview of(QuestionRule rule, Conversation conversation, String response) {
        StringBuilder prompt = new StringBuilder();
        if (!WhiteSpace.isBlank(conversation.priorContext())) {
            prompt.append(context(conversation.priorContext()));
        }
        prompt.append("Original query:\n").append(conversation.query()).append("\n\n");
        prompt.append(ResponseDelimiter.NOTICE).append("\n\n");
        prompt.append(ResponseDelimiter.around(1, response)).append("\n\n");
        prompt.append(measure(rule.question())).append(":\n").append(rule.value());
        prompt.append("\n\n").append(question(rule.question()));
        return new JudgePreview(SYSTEM_PROMPT, prompt.toString(), NOTHING_CUT, null);
    }

    /** The form of the prompts about {@code rule}: with empty places, and with the words that ask again. */
    public static JudgePreview form(GradedRule rule) {
        return switch (rule) {
            case QuestionRule question -> {
                JudgePreview asked = empty(question.question());
                yield new JudgePreview(
                        asked.systemPrompt(),
                        context("") + JudgePrompt.repair(asked.prompt(), "", ""),
                        asked.compaction(),
                        null);
            }
            case SimilarRule _ -> new JudgePreview("", Json.write(List.of("", "")), NOTHING_CUT, null);
        };
    }

    /** What a grader reads for a question, with empty places for the query, the response and what it is measured by. */
    public static String template(QuestionRule.Question question) {
        JudgePreview asked = empty(question);
        return asked.systemPrompt() + "\n\n" + asked.prompt();
    }

    /** The texts whose embeddings are compared, as a JSON list: {@code response} and the texts to compare it with. */
    static JudgePreview of(SimilarRule rule, String response) {
        List<String> texts = new ArrayList<>(List.of(response));
        texts.addAll(rule.value());
        return new JudgePreview("", Json.write(texts), NOTHING_CUT, null);
    }

    private static JudgePreview empty(QuestionRule.Question question) {
        return of(new QuestionRule(question, "", null, null), new Conversation("", ""), "");
    }

    private static String context(String prior) {
        return "Prior conversation context:\n" + prior + "\n\n";
    }

    private static String measure(QuestionRule.Question question) {
        return switch (question) {
            case RUBRIC -> "Rubric";
            case FACTUALITY -> "Reference";
            case CLOSED_QA -> "Criterion";
        };
    }

    private static String question(QuestionRule.Question question) {
        return switch (question) {
            case RUBRIC -> RUBRIC;
            case FACTUALITY -> FACTUALITY;
            case CLOSED_QA -> CLOSED_QA;
        };
    }
}
