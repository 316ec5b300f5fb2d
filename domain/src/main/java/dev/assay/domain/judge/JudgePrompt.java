package dev.assay.domain.judge;

import dev.assay.domain.text.WhiteSpace;
import java.util.List;

/** The words that a judge reads (semantics A3). Recorded answers and users' expectations hang on every character. */
public final class JudgePrompt {

    /** What a judge is told when a campaign says nothing. */
    public static final String BUILT_IN_SYSTEM_PROMPT =
            "You are an impartial judge. You are given a user's query and several responses to it. Pick the response"
                    + " that best answers the user's query. Reply with ONLY its number.";

    private JudgePrompt() {}

    /**
     * The prompt for {@code responses}, numbered from 1.
     *
     * @param priorContext left out when blank
     */
    public static String build(String priorContext, String query, List<String> responses) {
        StringBuilder prompt = new StringBuilder();
        if (!WhiteSpace.isBlank(priorContext)) {
            prompt.append("Prior conversation context:\n").append(priorContext).append("\n\n");
        }
        prompt.append("Original query:\n").append(query).append("\n\n");
        for (int i = 0; i < responses.size(); i++) {
            prompt.append("Response ").append(i + 1).append(":\n");
            prompt.append(responses.get(i)).append("\n\n");
        }
        return prompt.append("Which response is best? Reply with ONLY the response number (e.g., \"1\" or \"2\").")
                .toString();
    }
}
