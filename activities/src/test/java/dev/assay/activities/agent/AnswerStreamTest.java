package dev.assay.activities.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.AgentEvent.MessageUpdate;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.LoopId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AnswerStreamTest {

    private final List<AgentEvent> told = new ArrayList<>();
    private CompletableFuture<?> written = CompletableFuture.completedFuture(null);
    private long nowMs = 7;

    private final AnswerStream stream = new AnswerStream(
            new LoopEvents(new LoopId("s", "b", 1), new AgentEvents() {
                @Override
                public void emit(AgentEvent event) {
                    told.add(event);
                }

                @Override
                public CompletableFuture<?> tell(List<AgentEvent> events) {
                    told.addAll(events);
                    return written;
                }
            }),
            () -> nowMs * 1_000_000);

    private void piece(String text) {
        stream.piece(Part.TEXT, 0, null, text);
    }

    private List<String> names() {
        return told.stream().map(AgentEvent::name).toList();
    }

    private List<MessageUpdate> updates() {
        return told.stream()
                .filter(MessageUpdate.class::isInstance)
                .map(MessageUpdate.class::cast)
                .toList();
    }

    @Test
    void shouldTellTheFirstPieceAtOnceAndTheNextOnesTogether() {
        piece("Par");
        assertThat(names()).containsExactly("MessageStart", "MessageUpdate");

        piece("is");
        nowMs += 60;
        piece(" it");
        assertThat(updates()).hasSize(1);
        nowMs += 40;
        piece(" is");
        stream.end(Message.assistant("Paris it is"));

        assertThat(names()).containsExactly("MessageStart", "MessageUpdate", "MessageUpdate", "MessageEnd");
        assertThat(updates()).extracting(MessageUpdate::delta).containsExactly("Par", "is it is");
        assertThat(updates()).extracting(MessageUpdate::offset).containsExactly(0, 3);
    }

    @Test
    void shouldTellWhatIsThereWhenNothingComesForAWhile() {
        piece("Par");
        piece("is");
        nowMs += 100;
        stream.pause();

        assertThat(updates()).extracting(MessageUpdate::delta).containsExactly("Par", "is");
    }

    /** At most 20 updates in any second, with all that a model can write in it. */
    @Test
    void shouldTellAtMostTwentyUpdatesASecondHoweverFastTheModelIs() {
        List<Long> at = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            int before = updates().size();
            stream.piece(i % 3 == 0 ? Part.TOOL_CALL : Part.TEXT, i % 40, "search", "x");
            for (int n = before; n < updates().size(); n++) {
                at.add(nowMs);
            }
            nowMs++;
        }
        int before = updates().size();
        stream.end(Message.assistant("x"));
        for (int n = before; n < updates().size(); n++) {
            at.add(nowMs);
        }

        for (long second : at) {
            assertThat(at.stream()
                            .filter(time -> time >= second && time < second + 1_000)
                            .count())
                    .isLessThanOrEqualTo(20);
        }
    }

    @Test
    void shouldKeepOneUpdateOnItsWayAndLoseNothingWhenTheyAreWrittenSlowly() {
        CompletableFuture<?> slow = new CompletableFuture<>();
        written = slow;
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            piece("word " + i + " ");
            all.append("word ").append(i).append(' ');
            nowMs += 50;
        }
        assertThat(updates()).hasSize(1);

        slow.complete(null);
        piece("end");
        stream.end(Message.assistant(all + "end"));

        assertThat(updates().size()).isLessThanOrEqualTo(3);
        assertThat(updates().stream().map(MessageUpdate::delta).collect(Collectors.joining()))
                .isEqualTo(all + "end");
    }

    @Test
    void shouldTellWhatCanBeStoredWhenACharacterComesInTwoPieces() {
        piece("a\u0000\uD83D");
        nowMs += 100;
        piece("\uDE00b\uDE00");
        stream.end(Message.assistant("x"));

        assertThat(updates()).extracting(MessageUpdate::delta).containsExactly("a\uFFFD", "\uD83D\uDE00b\uFFFD");
        assertThat(updates()).extracting(MessageUpdate::offset).containsExactly(0, 2);
    }

    @Test
    void shouldTellNothingMoreWhenTheRequestHasEnded() {
        piece("Par");
        stream.close();
        nowMs += 1_000;
        piece("is");
        stream.pause();

        assertThat(names()).containsExactly("MessageStart", "MessageUpdate");
    }

    @Test
    void shouldTellAWholeAnswerBlockByBlockWhenNothingWasStreamed() {
        stream.end(Message.assistant("Paris"));

        assertThat(names()).containsExactly("MessageStart", "MessageUpdate", "MessageEnd");
        assertThat(updates().getFirst().delta()).isEqualTo("Paris");
    }
}
