package dev.assay.domain.judge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.suite.Case;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TranscriptTest {

    private static final Content IMAGE = new Content.Image("image/png", "aGk=");
    private static final Content CALL = new Content.ToolCall(
            "1", "search", JsonNodeFactory.instance.objectNode().put("q", "secret"));

    @Test
    void shouldKeepOnlyTextWhenFormatting() {
        List<Message> messages = List.of(
                Message.user("Hello\nthere"),
                message(Role.USER, IMAGE),
                message(Role.ASSISTANT, new Content.Thinking("hmm"), new Content.Text("Let me look."), CALL),
                message(Role.ASSISTANT, CALL),
                tool("search", "42 hits"),
                tool("search", "\u00A0\u0085"),
                message(Role.ASSISTANT, new Content.Text("One"), IMAGE, new Content.Text("two")));

        assertThat(Transcript.format(messages))
                .isEqualTo("User: Hello\nthere\nAssistant: Let me look.\nTool [search]: 42 hits\nAssistant: One\ntwo");
    }

    @Test
    void shouldBeEmptyWhenThereIsNothingToFormat() {
        assertThat(Transcript.format(List.of())).isEmpty();
        assertThat(Transcript.format(List.of(message(Role.USER, IMAGE)))).isEmpty();
    }

    @Test
    void shouldJoinTheTextBlocksOfUserPromptsWhenThereArePrompts() {
        Conversation conversation = Transcript.ofPrompts(
                List.of(Message.user("Hi"), Message.assistant("Hello")),
                List.of(
                        message(Role.USER, new Content.Text("One"), IMAGE, new Content.Text("two")),
                        message(Role.USER, IMAGE),
                        Message.assistant("not a prompt"),
                        Message.user("three")));

        assertThat(conversation).isEqualTo(new Conversation("User: Hi\nAssistant: Hello", "One\ntwo\nthree"));
    }

    @Test
    void shouldTakeTheLastUserMessageWithTextWhenContinuing() {
        Conversation conversation = Transcript.ofContext(List.of(
                Message.user("Hi"),
                Message.assistant("Hello"),
                Message.user("What is this?"),
                message(Role.USER, IMAGE),
                message(Role.ASSISTANT, CALL),
                tool("search", "a cat")));

        assertThat(conversation).isEqualTo(new Conversation("User: Hi\nAssistant: Hello", "What is this?"));
    }

    @Test
    void shouldAskNothingWhenNoUserMessageHasText() {
        Conversation conversation =
                Transcript.ofContext(List.of(Message.assistant("Hello"), message(Role.USER, IMAGE)));

        assertThat(conversation).isEqualTo(new Conversation("Assistant: Hello", ""));
    }

    @Test
    void shouldFollowTheCaseWhenItHasAPromptOrNone() {
        List<Message> context = List.of(Message.user("Hi"));

        assertThat(Transcript.of(new Case("a", List.of(Message.user("Why?")), context, List.of(), List.of(), Map.of())))
                .isEqualTo(new Conversation("User: Hi", "Why?"));
        assertThat(Transcript.of(new Case("a", List.of(), context, List.of(), List.of(), Map.of())))
                .isEqualTo(new Conversation("", "Hi"));
    }

    @Test
    void shouldTakeTheLastAssistantTextWhenReadingAResponse() {
        List<Message> messages = List.of(
                Message.user("Q"),
                Message.assistant("draft"),
                message(Role.ASSISTANT, new Content.Text("final"), new Content.Text("answer"), CALL),
                tool("search", "late"),
                message(Role.ASSISTANT, new Content.Thinking("done"), new Content.Text("\u202F")));

        assertThat(Transcript.response(messages)).isEqualTo("final\nanswer");
        assertThat(Transcript.response(List.of(Message.user("Q")))).isEmpty();
        assertThat(Transcript.response(List.of(Message.assistant("A"), Message.assistant("\u00A0\u2007\n"))))
                .as("white space is no answer, whatever its kind")
                .isEqualTo("A");
    }

    private static Message message(Role role, Content... content) {
        return new Message(role, List.of(content), null);
    }

    private static Message tool(String name, String text) {
        return new Message(Role.TOOL, List.of(new Content.Text(text)), new Message.ToolResult("1", name, false));
    }
}
