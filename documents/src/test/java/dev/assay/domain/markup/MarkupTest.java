package dev.assay.domain.markup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarkupTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x <a/>",
                "<a/><b/>",
                "<a>",
                "",
                "<a><b></a></b>",
                "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
                "<a b=1/>",
                "<p:a/>",
            })
    void shouldRefuseWhatIsNoDocument(String text) {
        assertThat(XmlTree.of(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "root.child, true",
        "root, true",
        "root.other, false",
        "root.child.x, false",
        "root.item, true",
        "root.item.1, true",
        "root.item.2, false",
        "root.item.0.name, true",
        "root.item.name, false",
        "root.@_id, true",
    })
    void shouldFindElementsByTheirPath(String path, boolean stands) {
        String text = "<root id='1'><child>1</child><item><name/></item><item/></root>";
        assertThat(XmlTree.of(text).orElseThrow().has(path)).isEqualTo(stands);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x <a>1</a> y | true",
                "x <br/> y | true",
                "<a><b>1</b> | true",
                "a < b and b > c | false",
                "<a>1 | false",
                "<a>1</b> | false",
            })
    void shouldFindElementsInText(String text, boolean holds) {
        assertThat(EmbeddedXml.holds(text, List.of())).isEqualTo(holds);
    }

    @Test
    void shouldFindRequiredElementsBelowOneElementOrItsSiblings() {
        assertThat(EmbeddedXml.holds("So: <a><b>1</b></a>!", List.of("a.b"))).isTrue();
        assertThat(EmbeddedXml.holds("<a>1</a> and <b>2</b>", List.of("a", "b")))
                .isTrue();
        assertThat(EmbeddedXml.holds("<a>1</a>", List.of("a", "b"))).isFalse();
    }

    @Test
    void shouldFindObjectsInText() {
        assertThat(EmbeddedJson.objects("{\"a\":1} and {b: {c: 'd'}, } {not json} {\"e\": [")
                        .orElseThrow())
                .extracting(Object::toString)
                .containsExactly("{\"a\":1}", "{\"b\":{\"c\":\"d\"}}");
        assertThat(EmbeddedJson.objects("cut {\"a\":{\"b\":1").orElseThrow())
                .extracting(Object::toString)
                .containsExactly("{\"a\":{\"b\":1}}");
        assertThat(EmbeddedJson.objects("[1] 3").orElseThrow()).isEmpty();
    }

    @Test
    void shouldEndSoonOnHostileText() {
        org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            assertThat(EmbeddedJson.objects("{".repeat(1_000_000))).isEmpty();
            assertThat(XmlTree.of("<a>".repeat(1_000_000))).isEmpty();
            assertThat(EmbeddedXml.holds("<a \"".repeat(250_000), List.of("a"))).isFalse();
            assertThat(EmbeddedXml.holds("<a>".repeat(300_000) + "</a>".repeat(300_000), List.of("x")))
                    .isFalse();
        });
    }
}
