package dev.assay.activities.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestRewritingTest {

    private static SentRequest sent(Route route, String body, boolean newest) throws RefusedException {
        return RequestRewriting.of(
                route, body.getBytes(StandardCharsets.UTF_8), new RequestRewriting.Terms(Set.of("m"), 50, newest));
    }

    private static String text(Route route, String body, boolean newest) throws RefusedException {
        return new String(sent(route, body, newest).body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        CHAT         | {"model":"m"}                           | {"model":"m","max_tokens":50}
        CHAT         | {"model":"m","max_tokens":null}         | {"model":"m","max_tokens":50}
        CHAT         | {"model":"m","max_tokens":-1}           | {"model":"m","max_tokens":50}
        CHAT         | {"model":"m","max_tokens":1e9}          | {"model":"m","max_tokens":50}
        CHAT         | {"model":"m","max_tokens":99999999999}  | {"model":"m","max_tokens":50}
        CHAT         | {"model":"m","max_tokens":[1,{"a":2}]}  | {"model":"m","max_tokens":50}
        CHAT         | {"max_completion_tokens":7,"model":"m"} | {"max_completion_tokens":7,"model":"m"}
        CHAT         | {"model":"m","max_tokens":60,"max_completion_tokens":7} | {"model":"m","max_tokens":50,"max_completion_tokens":7}
        CHAT         | {"model":"m","max_tokens":5,"stream":true} | {"model":"m","max_tokens":5,"stream":true,"stream_options":{"include_usage":true}}
        CHAT         | {"model":"m","max_tokens":5,"stream_options":{"include_usage":false,"a":{"b":1.0}},"stream":true} | {"model":"m","max_tokens":5,"stream":true,"stream_options":{"a":{"b":1.0},"include_usage":true}}
        CHAT         | {"model":"m","max_tokens":5,"a":[1.10,1e400,"\\u00e9\\n"],"stream":false} | {"model":"m","max_tokens":5,"a":[1.10,1E+400,"é\\n"],"stream":false}
        RESPONSES    | {"model":"m","max_tokens":9}            | {"model":"m","max_tokens":9,"max_output_tokens":50}
        EMBEDDINGS   | {"model":"m","input":"x"}               | {"model":"m","input":"x"}
        MESSAGES     | {"model":"m","max_tokens":51,"stream":true} | {"model":"m","max_tokens":50,"stream":true}
        COUNT_TOKENS | {"model":"m"}                           | {"model":"m"}
        """)
    void shouldBoundTheOutputAndKeepTheRest(String route, String body, String sent) throws RefusedException {
        assertThat(text(Route.valueOf(route), body, false)).isEqualTo(sent);
    }

    @Test
    void shouldSetTheNewerNameWhereOpenAiIsAsked() throws RefusedException {
        assertThat(text(Route.CHAT, "{\"model\":\"m\"}", true))
                .isEqualTo("{\"model\":\"m\",\"max_completion_tokens\":50}");
    }

    @Test
    void shouldReserveEveryAnswerThatIsAskedFor() throws RefusedException {
        assertThat(sent(Route.CHAT, "{\"model\":\"m\",\"n\":3,\"max_tokens\":20}", false)
                        .outputTokens())
                .isEqualTo(60);
        assertThat(sent(Route.EMBEDDINGS, "{\"model\":\"m\"}", false).outputTokens())
                .isZero();
    }

    /** A tree of it would take a gigabyte. */
    @Test
    void shouldCopyALargeBodyOfSmallPartsWithoutATree() throws RefusedException {
        String body = "{\"model\":\"m\",\"max_tokens\":1,\"a\":[" + "[],".repeat(8_000_000) + "0]}";

        assertThat(sent(Route.CHAT, body, false).body()).hasSize(body.length());
    }

    @Test
    void shouldRefuseWhatIsNestedTooDeepOrCut() {
        for (String body : new String[] {"{\"a\":" + "[".repeat(5_000), "{\"model\":\"m\"", "", "\u0000"}) {
            assertThatThrownBy(() -> sent(Route.CHAT, body, false))
                    .isInstanceOfSatisfying(
                            RefusedException.class, e -> assertThat(e.status()).isEqualTo(400));
        }
    }
}
