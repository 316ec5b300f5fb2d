package dev.assay.activities.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.usage.Usage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerUsageTest {

    private static ByteArrayInputStream input(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Usage whole(Route route, String answer) throws IOException {
        AnswerUsage usage = new AnswerUsage(route);
        usage.whole(input(answer));
        return usage.usage();
    }

    private static AnswerUsage events(Route route, String stream) throws IOException {
        AnswerUsage usage = new AnswerUsage(route);
        usage.events(input(stream));
        return usage;
    }

    @Test
    void shouldReadOpenAisUsage() throws IOException {
        assertThat(whole(Route.CHAT, """
            {"choices": [{"usage": {"prompt_tokens": 99}}], "x": {"usage": {"prompt_tokens": 98}},
             "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14,
                "prompt_tokens_details": {"cached_tokens": 3, "deep": {"er": 1}}, "list": [1], "text": "9",
                "completion_tokens_details": {"reasoning_tokens": 2}}}
            """)).isEqualTo(new Usage(10L, 4L, 2L, 3L, null, 14L));
        assertThat(whole(Route.RESPONSES, "{\"usage\": {\"input_tokens\": 5, \"output_tokens\": 6}}"))
                .isEqualTo(new Usage(5L, 6L, null, null, null, 11L));
        assertThat(whole(Route.EMBEDDINGS, "{\"usage\": {\"prompt_tokens\": 5, \"total_tokens\": 5}}"))
                .isEqualTo(Usage.of(5, 0));
        assertThat(whole(Route.MESSAGES, "{\"usage\": {\"input_tokens\": 5, \"output_tokens\": 6}}"))
                .isEqualTo(new Usage(5L, 6L, null, null, null, 11L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "{\"usage\": null}",
                "{\"usage\": [7]}",
                "{\"usage\": {\"prompt_tokens\": -1, \"completion_tokens\": \"7\"}}",
                "{\"usage\": {\"prompt_tokens\": 99999999999999999999, \"completion_tokens\": 1.5}}",
                "{\"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 7} cut",
                "[{\"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 7}}]",
            })
    void shouldNotKnowWhatIsNotReported(String answer) throws IOException {
        assertThat(whole(Route.CHAT, answer)).isEqualTo(Usage.UNKNOWN);
    }

    @Test
    void shouldReadTheUsageOfStreams() throws IOException {
        AnswerUsage chat = events(
                Route.CHAT,
                "data: {\"usage\": null}\r\n\r\ndata:{\"usage\": {\"prompt_tokens\": 1,"
                        + " \"completion_tokens\": 2}}\n\ndata: [DONE]\n\n");
        assertThat(chat.usage()).isEqualTo(new Usage(1L, 2L, null, null, null, 3L));

        AnswerUsage responses = events(
                Route.RESPONSES,
                "event: response.completed\n"
                        + "data: {\"type\": \"response.completed\", \"response\": {\"output\": [{\"usage\":"
                        + " {\"input_tokens\": 9}}], \"usage\": {\"input_tokens\": 1, \"output_tokens\": 2,"
                        + " \"total_tokens\": 3}}}");
        assertThat(responses.usage()).isEqualTo(new Usage(1L, 2L, null, null, null, 3L));

        AnswerUsage messages = events(
                Route.MESSAGES,
                "data: {\"type\": \"message_start\", \"message\": {\"usage\":"
                        + " {\"input_tokens\": 5, \"output_tokens\": 1}}}\n\n");
        assertThat(messages.usage().output())
                .as("what is counted before there is any")
                .isNull();
    }

    @Test
    void shouldKnowTheEndOfAStreamBeforeTheConnectionEnds() throws IOException {
        for (String end : new String[] {
            "[DONE]", "{\"type\": \"message_stop\"}", "{\"type\": \"response.failed\", \"response\": {}}"
        }) {
            AnswerUsage usage = new AnswerUsage(Route.CHAT);
            byte[] stream = ("data: " + end + "\n\n").getBytes(StandardCharsets.UTF_8);
            try {
                usage.events(
                        new java.io.SequenceInputStream(new ByteArrayInputStream(stream), new java.io.InputStream() {
                            @Override
                            public int read() throws IOException {
                                throw new IOException("dropped");
                            }
                        }));
            } catch (IOException e) {
                assertThat(e).hasMessage("dropped");
            }
            assertThat(usage.isComplete()).as(end).isTrue();
        }
    }

    @Test
    void shouldLeaveOutAnEventThatIsTooLong() throws IOException {
        String text = "x".repeat(5 * 1024 * 1024);

        assertThat(events(
                                Route.CHAT,
                                "data: {\"usage\": {\"prompt_tokens\": 1, \"completion_tokens\": 1}, \"a\": \"" + text
                                        + "\"}\n\n")
                        .usage())
                .isEqualTo(Usage.UNKNOWN);
    }
}
