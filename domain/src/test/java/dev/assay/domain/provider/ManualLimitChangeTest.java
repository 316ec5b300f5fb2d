package dev.assay.domain.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ManualLimitChangeTest {

    private static ManualLimitChange read(String json) {
        return ManualLimitChange.read(DocumentText.parseJsonOnly(json));
    }

    private static List<String> paths(String json) {
        AssayException refused = catchThrowableOfType(AssayException.class, () -> read(json));
        return refused.errors().stream().map(FieldError::path).toList();
    }

    @Test
    void shouldReadNumbersAndNull() {
        ManualLimitChange change = read(
                "{\"models\": \"gpt*\", \"tokensPerMinute\": 5, \"requestsPerDay\": null, \"reason\": \"shared\"}");

        assertThat(change.limits())
                .isEqualTo(Map.of(
                        LimitKind.TOKENS_PER_MINUTE, Optional.of(5L), LimitKind.REQUESTS_PER_DAY, Optional.empty()));
        assertThat(change.isFor(new ModelPool("openai", "second", "gpt*"))).isTrue();
        assertThat(change.isFor(new ModelPool("openai", "second", "gpt-5")))
                .as("a model of the group is not the group")
                .isFalse();
    }

    @Test
    void shouldBeForOneAccountWhenItNamesOne() {
        ManualLimitChange change =
                read("{\"models\": \"*\", \"account\": \"a\", \"tokensPerDay\": 1, \"reason\": \"r\"}");

        assertThat(change.isFor(new ModelPool("openai", "a", "*"))).isTrue();
        assertThat(change.isFor(new ModelPool("openai", "b", "*"))).isFalse();
    }

    @Test
    void shouldNameEverythingThatIsWrongAtOnce() {
        assertThat(paths("{\"models\": \" \", \"account\": 7, \"reason\": \"%s\", \"tokensPerMinute\": 0, \"rpm\": 1}"
                        .formatted("r".repeat(501))))
                .containsExactlyInAnyOrder("models", "account", "reason", "tokensPerMinute", "rpm");
        assertThat(paths("{\"models\": \"*\"}")).containsExactlyInAnyOrder("", "reason");
        assertThat(paths("[]")).containsExactly("");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1000000000000000000000000000000",
                "1e30",
                "-1",
                "0",
                "10000000001",
                "1.5",
                "true",
                "\"5\"",
                "[]",
                "1e-30"
            })
    void shouldRefuseWhatIsNoLimit(String value) {
        assertThat(paths("{\"models\": \"*\", \"requestsPerMinute\": " + value + ", \"reason\": \"r\"}"))
                .containsExactly("requestsPerMinute");
    }
}
