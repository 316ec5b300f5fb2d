package dev.assay.cli.evaluation;

import static dev.assay.cli.evaluation.EvaluationServer.ended;
import static dev.assay.cli.evaluation.EvaluationServer.events;
import static dev.assay.cli.evaluation.EvaluationServer.model;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.judge.Conversation;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgeReply;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The document "Struct LlmJudgeEvaluation": what it says, in its order. It runs in {@link EvaluationTest}, on the server that is
 * there.
 */
abstract class LlmJudgeEvaluation {

    private static final String JUDGED = """
        {"prompts": ["Why?"], "branches": [{"provider": "stub", "model": "a"}, {"provider": "stub", "model": "b"}],
         "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "j"%s}%s}}
        """;

    private static JudgePreview reads(Conversation conversation, List<String> responses, @Nullable Integer window) {
        return JudgePreview.of(conversation, responses, window, null, JudgeFormat.PLAIN);
    }

    @Test
    void shouldShowTheJudgeOnlyCleanContent() throws Exception {
        model.replyBy(request -> {
            boolean calls = request.path("model").asText().equals("a")
                    && request.path("messages").size() == 1;
            return calls ? StubModel.Reply.calculating("6*7") : null;
        });

        JsonNode result = ended(
                "",
                JUDGED.formatted("", "")
                        .replace("\"model\": \"a\"", "\"model\": \"a\", \"tools\": [{\"type\": \"calculator\"}]"));

        assertThat(result.at("/outcomes/0/messages")).as("a tool was called").hasSize(4);
        assertThat(result.at("/selection/judge/0/prompt").asText())
                .isEqualTo(
                        "Original query:\nWhy?\n\nResponse 1:\nParis\n\nResponse 2:\nParis\n\nWhich response is best?"
                                + " Reply with ONLY the response number (e.g., \"1\" or \"2\").");
    }

    @Test
    void shouldOmitThePriorContextWhenItIsEmptyAndTakeOnlyTextsFromIt() {
        List<Message> context = List.of(
                new Message(Role.USER, List.of(new Content.Image("image/png", "AAAA")), null), Message.assistant("Hi"));

        assertThat(reads(Transcript.ofPrompts(List.of(), List.of(Message.user("Why?"))), List.of("a"), null)
                        .prompt())
                .startsWith("Original query:\nWhy?\n\n");
        assertThat(reads(Transcript.ofPrompts(context, List.of(Message.user("Why?"))), List.of("a"), null)
                        .prompt())
                .startsWith("Prior conversation context:\nAssistant: Hi\n\nOriginal query:\nWhy?\n\n");
    }

    @Test
    void shouldTakeTheQueryFromTheContextInContinueMode() {
        List<Message> context = List.of(Message.user("Hi"), Message.assistant("Hello"), Message.user("Why?"));

        assertThat(Transcript.ofContext(context)).isEqualTo(new Conversation("User: Hi\nAssistant: Hello", "Why?"));
    }

    @Test
    void shouldCompactOnlyWhenTheJudgeHasAWindowThatIsTooSmall() {
        Conversation conversation = new Conversation("User: " + "word ".repeat(2_000), "Why?");
        List<String> responses = List.of("Because.", "So.");

        assertThat(reads(conversation, responses, null).prompt()).contains(conversation.priorContext());
        assertThat(reads(conversation, responses, 10_000).prompt()).contains(conversation.priorContext());
        JudgePreview cut = reads(conversation, responses, 1_000);
        assertThat(cut.prompt()).doesNotContain(conversation.priorContext()).contains("Because.", "So.");
        assertThat(cut.compaction().iteration()).isEqualTo(1);
        assertThat(cut.warning()).isNull();
    }

    @Test
    void shouldCompactResponsesSecondAndWarnWhenTheBudgetCannotBeSatisfied() {
        JudgePreview cut =
                reads(new Conversation("c".repeat(900), "Why?"), List.of("a".repeat(999), "b".repeat(999)), 60);

        assertThat(cut.compaction().iteration()).isEqualTo(2);
        assertThat(cut.prompt()).contains("a".repeat(197) + "...", "b".repeat(197) + "...", "c".repeat(197) + "...");
        assertThat(cut.warning()).contains("2 branches", "its budget of 48");
    }

    @Test
    void shouldApplyTheDecisionToTheOriginalResponses() throws Exception {
        String original = "word ".repeat(400).strip();
        model.answerBy((name, prompt) -> name.equals("j") ? "2" : original);

        JsonNode result = ended("", JUDGED.formatted(", \"maxContextTokens\": 300", ""));

        assertThat(result.at("/selection/judge/0/prompt").asText()).doesNotContain(original);
        assertThat(result.at("/selectedMessages/1/content").asText()).isEqualTo(original);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "Response 2, 1", "'The best is 2.', 1", "'7 of them, but 2', 1"})
    void shouldScanTheReplyForTheFirstNumberOfAResponse(String reply, int index) {
        assertThat(JudgeReply.parseSelection(reply, 2)).isEqualTo(new JudgeReply(index, false));
    }

    @Test
    void shouldFallBackToTheFirstWhenTheReplyHasNoNumber() throws Exception {
        model.answerBy((name, prompt) -> name.equals("j") ? "Both are fine" : "Answer");

        JsonNode result = ended("", JUDGED.formatted("", ""));

        assertThat(result.path("selectedIndex").asInt()).isZero();
        assertThat(result.at("/selection/fallback").asBoolean()).isTrue();
    }

    @Test
    void shouldTellTheJudgesLoopInTheSessionOfTheBranches() throws Exception {
        JsonNode result = ended("", JUDGED.formatted("", ""));

        assertThat(events(result.path("id").asText(), 0))
                .filteredOn(sent -> sent.name().equals("AgentStart"))
                .hasSize(3)
                .allSatisfy(sent -> assertThat(sent.data().path("sessionId")).isEqualTo(result.path("sessionId")))
                .last()
                .satisfies(
                        sent -> assertThat(sent.data().path("model").asText()).isEqualTo("j"));
    }

    @Test
    void shouldTellTheJudgeTheConfiguredSystemPromptOrTheBuiltInOne() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        model.replyBy(request -> {
            if (request.path("model").asText().equals("j")) {
                told.add(request.at("/messages/0/content").asText());
            }
            return null;
        });

        ended("", JUDGED.formatted("", ", \"systemPrompt\": \"Prefer brevity.\""));
        ended("", JUDGED.formatted("", ""));

        assertThat(told).first().isEqualTo("Prefer brevity.");
        assertThat(told).last().asString().contains("impartial judge", "ONLY");
    }
}
