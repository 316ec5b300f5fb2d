package dev.assay.activities.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class StorableTextTest {

    @Test
    void shouldReplaceWhatCannotBeStoredAndNothingElse() {
        assertThat(StorableText.of("a\u0000b\uD800c\uDC00")).isEqualTo("a\uFFFDb\uFFFDc\uFFFD");
        assertThat(StorableText.of("Grüße \uD83D\uDE00\n")).isEqualTo("Grüße \uD83D\uDE00\n");
    }

    @Test
    void shouldReplaceInNamesAndTextsWhenATreeIsGiven() {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.putArray("a\u0000").add("\uD800").add(1).addNull();

        assertThat(StorableText.of(tree)).hasToString("{\"a\uFFFD\":[\"\uFFFD\",1,null]}");
    }
}
