package dev.assay.domain.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopCompactionTest {

    private static final String LINES =
            IntStream.rangeClosed(1, 200).mapToObj(i -> "line " + i).collect(Collectors.joining("\n"));

    private static Message call(String id) {
        return new Message(
                Role.ASSISTANT, List.of(new Content.ToolCall(id, "search", Json.tree("{\"q\":\"x\"}"))), null);
    }

    private static Message result(String id, String text) {
        return new Message(Role.TOOL, List.of(new Content.Text(text)), new Message.ToolResult(id, "search", false));
    }

    private static final Message QUESTION = Message.user("What is on line 200? " + "please ".repeat(50));
    private static final List<Message> CONVERSATION = List.of(
            QUESTION, call("c1"), result("c1", LINES), call("c2"), result("c2", LINES), Message.assistant("Hm."));

    @Test
    void shouldCutOnlyWhatIsOlderThanTheLastTurnWhenThatIsEnough() {
        List<Message> conversation = CONVERSATION.subList(0, 5);
        int budget = (int) LoopCompaction.tokens("Be brief.", conversation) - 100;

        LoopCompaction.Result result = LoopCompaction.compact("Be brief.", conversation, budget);

        assertThat(result.satisfied()).isTrue();
        assertThat(result.messages().get(2).text()).startsWith("line 121\n").endsWith("line 200");
        assertThat(result.messages().get(4)).isEqualTo(conversation.get(4));
        assertThat(result.tokens()).isEqualTo(LoopCompaction.tokens("Be brief.", result.messages()));
    }

    @Test
    void shouldKeepEveryMessageAndTheQuestionWhenTheWindowIsTiny() {
        LoopCompaction.Result result = LoopCompaction.compact("Be brief.", CONVERSATION, 10);

        assertThat(result.satisfied()).isFalse();
        assertThat(result.messages()).hasSameSizeAs(CONVERSATION);
        assertThat(result.messages().getFirst()).isEqualTo(QUESTION);
        assertThat(result.messages().get(1)).isEqualTo(CONVERSATION.get(1));
        assertThat(result.messages().get(2).toolResult())
                .isEqualTo(CONVERSATION.get(2).toolResult());
        assertThat(result.messages().get(2).text()).hasSize(200).endsWith("...");
    }

    @Test
    void shouldShareTheRoomWhenTextsAreCutToIt() {
        List<Message> conversation = List.of(
                Message.user("a".repeat(4_000)), Message.assistant("b".repeat(4_000)), Message.user("c".repeat(400)));

        LoopCompaction.Result result = LoopCompaction.compact(null, conversation, 1_100);

        assertThat(result.satisfied()).isTrue();
        assertThat(result.messages().get(0).text()).endsWith("...");
        assertThat(result.messages().get(2)).isEqualTo(conversation.get(2));
    }

    @Test
    void shouldLeaveImagesOutLastWhenTheyAreOld() {
        Message picture = new Message(
                Role.USER, List.of(new Content.Text("Look"), new Content.Image("image/png", "A".repeat(8_000))), null);
        List<Message> conversation = List.of(picture, Message.assistant("Nice."), Message.user("What was it?"));

        LoopCompaction.Result result = LoopCompaction.compact(null, conversation, 100);

        assertThat(result.satisfied()).isTrue();
        assertThat(result.messages().getFirst().text()).isEqualTo("Look\n[image left out]");
    }
}
