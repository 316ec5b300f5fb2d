package dev.assay.domain.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StorableTextTest {

    @Test
    void shouldReplaceNulAndHalfSurrogatesWhenATextHoldsThem() {
        assertThat(StorableText.of("Par\0is")).isEqualTo("Par\uFFFDis");
        assertThat(StorableText.of("\ud83d end")).isEqualTo("\uFFFD end");
        assertThat(StorableText.of("end \ud83d")).isEqualTo("end \uFFFD");
        assertThat(StorableText.of("\ude00\ud83d\ude00\ud83d")).isEqualTo("\uFFFD\ud83d\ude00\uFFFD");
        assertThat(StorableText.of("\ud83d\ud83d\ude00\0")).isEqualTo("\uFFFD\ud83d\ude00\uFFFD");
    }

    @Test
    void shouldKeepTheTextItselfWhenItIsStorable() {
        for (String text : new String[] {"", "Paris", "\u0001\u001b[31m", "a\ud83d\ude00b", "\uFFFD", "\u0085\r\n"}) {
            assertThat(StorableText.of(text)).isSameAs(text);
        }
    }
}
