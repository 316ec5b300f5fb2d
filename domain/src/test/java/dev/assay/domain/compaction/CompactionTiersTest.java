package dev.assay.domain.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.judge.JudgeReply;
import dev.assay.domain.text.Utf8;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompactionTiersTest {

    @Test
    void shouldCountAnUnpairedSurrogateAsItsReplacementWhenEstimating() {
        assertThat(Utf8.length("\uD800")).isEqualTo(3);
        assertThat(Utf8.length("\uDE00\uD83D")).isEqualTo(6);
        assertThat(Utf8.length("\uD83D\uDE00")).isEqualTo(4);
        assertThat(TokenEstimate.of("\uD83Da")).isEqualTo(1);
    }

    @Test
    void shouldKeepTheLastLinesWhenLineBreaksAreMixed() {
        assertThat(CompactionTiers.tailLines("a\r\nb\nc\rd\r\n", 2)).isEqualTo("b\nc\rd");
        assertThat(CompactionTiers.tailLines("a\nb\r", 1)).isEqualTo("b\r");
        assertThat(CompactionTiers.tailLines("a\r\r\nb", 1)).isEqualTo("b");
        assertThat(CompactionTiers.tailLines("x\na\r\r\nb", 2)).isEqualTo("a\r\nb");
    }

    @Test
    void shouldCountEmptyLinesWhenTheyComeLast() {
        assertThat(CompactionTiers.tailLines("a\n\n\n", 3)).isEqualTo("a\n\n\n");
        assertThat(CompactionTiers.tailLines("a\n\n\n", 2)).isEqualTo("\n");
        assertThat(CompactionTiers.tailLines("a\u2028b\u0085c\u000Bd", 1)).isEqualTo("a\u2028b\u0085c\u000Bd");
    }

    @Test
    void shouldKeepByteForByteWhenThereAreExactlyAsManyLines() {
        String text = "l\r\n".repeat(80);

        assertThat(CompactionTiers.tailLines(text, 80)).isSameAs(text);
        assertThat(CompactionTiers.tailLines(text + "x", 80)).isEqualTo("l\n".repeat(79) + "x");
    }

    @Test
    void shouldTrimUnicodeWhiteSpaceWhenTakingParagraphs() {
        assertThat(CompactionTiers.firstAndLastParagraph("\u00A0A\u0085\n\n\u2007\u202F\n\n\u3000B\u00A0"))
                .isEqualTo("A\n\n...\n\nB");
        assertThat(CompactionTiers.firstAndLastParagraph(" \u00A0only\u0085 ")).isEqualTo("only");
        assertThat(CompactionTiers.firstAndLastParagraph("\u00A0\n\n\u0085")).isEqualTo("\u00A0\n\n\u0085");
    }

    @Test
    void shouldSplitOnlyAtBlankLinesOfOneKindWhenLineBreaksAreMixed() {
        assertThat(CompactionTiers.firstAndLastParagraph("A\r\n\nB")).isEqualTo("A\n\n...\n\nB");
        assertThat(CompactionTiers.firstAndLastParagraph("A\n \nB")).isEqualTo("A\n \nB");
        assertThat(CompactionTiers.firstAndLastParagraph("A\r\rB")).isEqualTo("A\r\rB");
    }

    @Test
    void shouldKeepEveryByteWhenTheLimitIsHuge() {
        assertThat(CompactionTiers.limit("abc", Long.MAX_VALUE)).isEqualTo("abc");
    }

    @Test
    void shouldCutBeforeTheCodePointWhenTheLimitFallsIntoIt() {
        assertThat(CompactionTiers.limit("a\uD83D\uDE00bcdef", 7)).isEqualTo("a...");
        assertThat(CompactionTiers.limit("a\uD83D\uDE00bcdef", 8)).isEqualTo("a\uD83D\uDE00...");
        assertThat(CompactionTiers.limit("a\uD83Dbcdefgh", 7)).isEqualTo("a\uD83D...");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2\u00A0", "\u00852", "1\u00A02", "No\u202F1", "1\u20282"})
    void shouldSplitAtEveryUnicodeWhiteSpaceWhenReadingAReply(String reply) {
        JudgeReply chosen = JudgeReply.parseSelection(reply, 2);

        assertThat(chosen.index() + 1).isEqualTo(Character.digit(firstDigit(reply), 10));
        assertThat(chosen.fallback()).isFalse();
    }

    @Test
    void shouldGlueDigitsWhenOneWordHoldsThem() {
        assertThat(JudgeReply.parseSelection("1\u200B2", 12)).isEqualTo(new JudgeReply(11, false));
        assertThat(JudgeReply.parseSelection("1\u001C2", 12)).isEqualTo(new JudgeReply(11, false));
        assertThat(JudgeReply.parseSelection("0".repeat(100) + "2", 2)).isEqualTo(new JudgeReply(1, false));
        assertThat(JudgeReply.parseSelection("18446744073709551617", 2)).isEqualTo(JudgeReply.UNUSABLE);
        assertThat(JudgeReply.parseSelection("4294967297 x", 2)).isEqualTo(JudgeReply.UNUSABLE);
        assertThat(JudgeReply.parseSelection("-1", 2)).isEqualTo(new JudgeReply(0, false));
        assertThat(JudgeReply.parseSelection("\uFF12 \uD835\uDFD0", 2)).isEqualTo(JudgeReply.UNUSABLE);
        assertThat(JudgeReply.parseSelection("" + Integer.MAX_VALUE, Integer.MAX_VALUE))
                .isEqualTo(new JudgeReply(Integer.MAX_VALUE - 1, false));
    }

    private static char firstDigit(String text) {
        return (char) text.chars().filter(Character::isDigit).findFirst().orElseThrow();
    }
}
