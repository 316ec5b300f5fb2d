package dev.assay.domain.judge;

import dev.assay.domain.compaction.CompactionTiers;
import dev.assay.domain.text.WhiteSpace;
import java.util.List;

/** The prompts that a judge reads (docs/judging.md). Recorded answers and users' expectations depend on every character. */
public final class JudgePrompt {

    /** The system prompt of a judge when a campaign states none. */
    public static final String BUILT_IN_SYSTEM_PROMPT =
            "You are an impartial judge. You are given a user's query and several responses to it. Pick the response"
                    + " that best answers the user's query. Reply with ONLY its number.";

    private static final String NUMBER = "the response number (e.g., \"1\" or \"2\").";

    /** The same for replies that are JSON objects. */
    public static final String BUILT_IN_STRUCTURED_SYSTEM_PROMPT =
            "You are an impartial judge. You are given a user's query and several responses to it. Pick the response"
                    + " that best answers the user's query. Reply with ONLY the JSON object that you are asked for.";

    /** The part of a reply that is shown again to the judge that gave it, in bytes. */
    private static final int REPAIRED_BYTES = 2_000;

    private JudgePrompt() {}

    /** The system prompt of a judge when a campaign states none. */
    public static String builtInSystemPrompt(JudgeFormat format) {
        return format.isStructured() ? BUILT_IN_STRUCTURED_SYSTEM_PROMPT : BUILT_IN_SYSTEM_PROMPT;
    }

    /** The prompt for {@code responses}, numbered from 1. */
    public static String build(String priorContext, String query, List<String> responses) {
        return build(JudgeFormat.PLAIN, priorContext, query, responses);
    }

    /** The same in another form; its plain form is kept to the last character. */
    static String build(JudgeFormat format, String priorContext, String query, List<String> responses) {
        StringBuilder prompt = new StringBuilder();
        if (!WhiteSpace.isBlank(priorContext)) {
            prompt.append("Prior conversation context:\n").append(priorContext).append("\n\n");
        }
        prompt.append("Original query:\n").append(query).append("\n\n");
        if (format.fenced()) {
            prompt.append(ResponseDelimiter.NOTICE).append("\n\n");
        }
        for (int i = 0; i < responses.size(); i++) {
            String response = responses.get(i);
            prompt.append("Response ").append(i + 1).append(":\n");
            prompt.append(format.fenced() ? ResponseDelimiter.around(i + 1, response) : response)
                    .append("\n\n");
        }
        return prompt.append("Which response is best? Reply with ONLY ")
                .append(format.isStructured() ? jsonObject(responses.size()) : NUMBER)
                .toString();
    }

    /**
     * The prompt that asks once more after a structured reply that was not valid.
     *
     * @param prompt the prompt that the reply answered
     * @param problem what is wrong with it, a sentence
     */
    public static String repair(String prompt, String reply, String problem) {
        return prompt + "\n\nYou replied:\n" + CompactionTiers.limit(reply, REPAIRED_BYTES)
                + "\n\nThat reply cannot be used. " + problem
                + " Reply again, with ONLY the JSON object.";
    }

    private static String jsonObject(int responses) {
        return "a JSON object that is valid against this JSON Schema:\n" + StructuredReply.schema(responses);
    }
}
