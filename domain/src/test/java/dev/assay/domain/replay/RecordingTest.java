package dev.assay.domain.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordingTest {

    private static final ModelChoice CHOICE = new ModelChoice("openai", "gpt", Thinking.OFF, Map.of());
    private static final Usage USAGE = Usage.of(10, 5);
    private static final BigDecimal COST = new BigDecimal("0.01");
    private static final Message TOOL_RESULT =
            new Message(Role.TOOL, List.of(new Content.Text("22 °C")), new Message.ToolResult("c", "weather", false));

    private static List<CassetteEntry> record(
            List<Message> context, List<Message> newMessages, @Nullable BigDecimal cost) {
        return new Recording(
                        CHOICE, "Be brief.", List.of(), 3, context, newMessages, USAGE, cost, Duration.ofMillis(120))
                .entries();
    }

    @Test
    void shouldCarryEverythingWhenThereWasOneTurn() {
        List<Message> context = List.of(Message.user("Hi"), Message.assistant("Hello"));
        Message prompt = Message.user("Capital of France?");
        List<Message> asked = List.of(context.getFirst(), context.getLast(), prompt);

        assertThat(record(context, List.of(prompt, Message.assistant("Paris")), COST))
                .containsExactly(new CassetteEntry(
                        RequestKey.of(CHOICE, "Be brief.", asked),
                        3,
                        "openai",
                        "gpt",
                        "Capital of France?",
                        Message.assistant("Paris"),
                        USAGE,
                        COST,
                        120));
    }

    @Test
    void shouldAddUpToTheLoopWhenThereWereSeveralTurns() {
        Message prompt = Message.user("Weather in Rome?");
        Message call = Message.assistant("Let me see.");
        Message answer = Message.assistant("22 °C.");

        List<CassetteEntry> entries = record(List.of(), List.of(prompt, call, TOOL_RESULT, answer), COST);

        assertThat(entries)
                .extracting(CassetteEntry::key)
                .containsExactly(
                        RequestKey.of(CHOICE, "Be brief.", List.of(prompt)),
                        RequestKey.of(CHOICE, "Be brief.", List.of(prompt, call, TOOL_RESULT)));
        assertThat(entries).extracting(CassetteEntry::usage).containsExactly(Usage.NONE, USAGE);
        assertThat(entries).extracting(CassetteEntry::costUsd).containsExactly(BigDecimal.ZERO, COST);
        assertThat(entries).extracting(CassetteEntry::latencyMs).containsExactly(0L, 120L);
        assertThat(entries).extracting(CassetteEntry::asked).containsExactly("Weather in Rome?", "22 °C");
    }

    @Test
    void shouldKeepTheCostUnknownWhenItWas() {
        assertThat(record(
                        List.of(),
                        List.of(Message.user("a"), Message.assistant("b"), Message.user("c"), Message.assistant("d")),
                        null))
                .extracting(CassetteEntry::costUsd)
                .containsExactly(null, null);
    }

    @Test
    void shouldRecordTheLastAnswerWhenTheLoopEndedAfterATool() {
        List<CassetteEntry> entries =
                record(List.of(), List.of(Message.user("a"), Message.assistant("b"), TOOL_RESULT), COST);

        assertThat(entries).singleElement().matches(entry -> entry.usage().equals(USAGE));
    }

    @Test
    void shouldRecordNothingWhenNothingWasAnswered() {
        assertThat(record(List.of(), List.of(Message.user("a")), COST)).isEmpty();
    }

    @Test
    void shouldShortenTheQuestionWhenItIsLong() {
        assertThat(record(List.of(Message.user("😀".repeat(500))), List.of(Message.assistant("b")), COST))
                .singleElement()
                .satisfies(entry ->
                        assertThat(entry.asked()).hasSizeLessThanOrEqualTo(200).endsWith("😀…"));
    }

    @Test
    void shouldBeReadableWhenItWasRecorded() {
        Cassette cassette = CassetteFile.of(record(List.of(), List.of(Message.user(""), Message.assistant("")), COST));

        assertThat(CassetteFile.read(CassetteFile.write(cassette))).isEqualTo(cassette);
    }
}
