package dev.assay.domain.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReasoningTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | 2",
                "<think>Response 1 is vague.</think>2 | 2",
                "\\n <THINK>1</think> 2 | ' 2'",
                "<thinking>1</thinking><reasoning>1</reasoning>2 | 2",
                "<think>1 <think>1</think> 1</think>2 | 2",
                "<think></think>2 | 2",
                "<think>1</thinking></think>2 | 2",
                "2 <think>1</think> | 2 <think>1</think>",
                "<thought>1</thought>2 | <thought>1</thought>2",
                "<think >1</think>2 | <think >1</think>2",
            })
    void shouldReadBehindTheBlocksThatAReplyBeginsWith(String reply, String behind) {
        assertThat(Reasoning.behind(reply.replace("\\n", "\n"))).contains(behind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"<think>1", "<think>1</thinking> 2", "<think>1</think><reasoning>2", "<think><think>1</think> 2"
            })
    void shouldSayWhenABlockDoesNotEnd(String reply) {
        assertThat(Reasoning.behind(reply)).isEmpty();
    }

    @Test
    void shouldTakeTimeInProportionToTheLength() {
        String many = "<think></think>".repeat(100_000);
        String deep = "<think>".repeat(100_000);

        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            assertThat(Reasoning.behind(many + "2")).contains("2");
            assertThat(Reasoning.behind(deep)).isEmpty();
        });
    }
}
