package dev.assay.domain.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.assay.domain.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class JudgeCompactionTest {

    private static final List<String> ATOMS = List.of(
            "a",
            "word ",
            "\n",
            "\n\n",
            "\r\n",
            "\r\n\r\n",
            "\r",
            "\u00E9",
            "\u6F22",
            "\uD83D\uDE00",
            "\u00A0",
            "\u0085",
            "\u2028",
            "...",
            "long".repeat(40));

    @Test
    void shouldCutNothingWhenTheWindowIsNotKnown() {
        JudgeCompaction.Result result = JudgeCompaction.compact("c".repeat(9000), List.of("r".repeat(9001)), null);

        assertThat(result.compaction()).isEqualTo(new Compaction(null, 0, 0, 0, 4501, 4501, true));
    }

    @Test
    void shouldNotOverflowWhenTheWindowIsTheLargest() {
        JudgeCompaction.Result result = JudgeCompaction.compact("c", List.of("r"), Integer.MAX_VALUE);

        assertThat(result.compaction()).isEqualTo(new Compaction(1_717_986_917L, 0, 0, 0, 2, 2, true));
    }

    @Test
    void shouldStopAtTheFirstTierThatFitsWhenTheContextIsLong() {
        String context = "first line\n".repeat(200) + "tail\n".repeat(80);

        JudgeCompaction.Result result = JudgeCompaction.compact(context, List.of("answer"), 200);

        assertThat(result.compaction()).isEqualTo(new Compaction(160L, 1, 1, 0, 652, 102, true));
        assertThat(result.context()).isEqualTo("tail\n".repeat(79) + "tail");
    }

    @Test
    void shouldTakeParagraphsWhenTheTailDoesNotFit() {
        String context = "first\n\n" + "m".repeat(1000) + "\n\nlast";

        JudgeCompaction.Result result = JudgeCompaction.compact(context, List.of("answer"), 100);

        assertThat(result.context()).isEqualTo("first\n\n...\n\nlast");
        assertThat(result.compaction()).isEqualTo(new Compaction(80L, 1, 2, 0, 256, 6, true));
    }

    @Test
    void shouldCutResponsesOnlyAsFarAsNeededWhenTheContextIsAsShortAsItGets() {
        String response = "old\n".repeat(400) + "new\n".repeat(80);

        JudgeCompaction.Result result = JudgeCompaction.compact("", List.of(response, "short"), 110);

        assertThat(result.compaction()).isEqualTo(new Compaction(88L, 2, 3, 1, 482, 82, true));
        assertThat(result.responses()).containsExactly("new\n".repeat(79) + "new", "short");
    }

    @Test
    void shouldKeepTheCutsOfEarlierTiersWhenALaterOneIsNeeded() {
        String response = "o\n".repeat(100) + "\n" + "m".repeat(400) + "\n\nlast";

        JudgeCompaction.Result result = JudgeCompaction.compact("", List.of(response), 60);

        assertThat(result.responses()).containsExactly("o\n".repeat(75) + "o\n\n...\n\nlast");
        assertThat(result.compaction()).isEqualTo(new Compaction(48L, 2, 3, 2, 152, 41, true));
    }

    @Test
    void shouldRefuseWhenTheWindowIsNegative() {
        assertThatIllegalArgumentException().isThrownBy(() -> JudgeCompaction.compact("", List.of("a"), -1));
    }

    @RepeatedTest(300)
    void shouldHoldItsInvariantsWhenTextsAreRandom(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        String context = text(random);
        List<String> responses = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            responses.add(text(random));
        }
        int window = random.nextInt(1200);

        JudgeCompaction.Result result = JudgeCompaction.compact(context, responses, window);

        Compaction compaction = result.compaction();
        assertThat(compaction.budget()).isEqualTo(window * 4L / 5);
        assertThat(compaction.tokensBefore()).isEqualTo(tokens(context, responses));
        assertThat(compaction.tokensAfter()).isEqualTo(tokens(result.context(), result.responses()));
        assertThat(compaction.satisfied()).isEqualTo(compaction.tokensAfter() <= window * 4L / 5);
        assertThat(result.responses()).hasSameSizeAs(responses);
        assertThat(result.context()).satisfies(JudgeCompactionTest::isWhole);
        assertThat(result.responses()).allSatisfy(JudgeCompactionTest::isWhole);
        assertThat(compaction.iteration())
                .isEqualTo(compaction.responseTier() > 0 ? 2 : compaction.contextTier() > 0 ? 1 : 0);
        if (compaction.iteration() < 2) {
            assertThat(result.responses()).isEqualTo(responses);
            assertThat(compaction.satisfied()).isTrue();
        } else {
            assertThat(compaction.contextTier()).isEqualTo(3);
        }
        if (compaction.iteration() == 0) {
            assertThat(result.context()).isEqualTo(context);
        }
        if (!compaction.satisfied()) {
            assertThat(compaction.responseTier()).isEqualTo(3);
        }
    }

    @RepeatedTest(300)
    void shouldChangeNothingWhenATierIsAppliedAgain(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        String text = text(random);
        int lines = 1 + random.nextInt(20);
        int bytes = 3 + random.nextInt(400);

        String tail = CompactionTiers.tailLines(text, lines);
        String paragraphs = CompactionTiers.firstAndLastParagraph(text);
        String limited = CompactionTiers.limit(text, bytes);

        assertThat(CompactionTiers.tailLines(tail, lines)).isEqualTo(tail);
        assertThat(CompactionTiers.firstAndLastParagraph(paragraphs)).isEqualTo(paragraphs);
        assertThat(CompactionTiers.limit(limited, bytes)).isEqualTo(limited);
        assertThat(Utf8.length(limited)).isLessThanOrEqualTo(bytes);
        // A code point takes at most four bytes, so no more than three are given up.
        if (!limited.equals(text)) {
            assertThat(Utf8.length(limited)).isGreaterThan(bytes - 4L);
        }
    }

    private static void isWhole(String text) {
        String copy = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(copy).isEqualTo(text);
        assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }

    private static long tokens(String context, List<String> responses) {
        return bytesToTokens(context)
                + responses.stream()
                        .mapToLong(JudgeCompactionTest::bytesToTokens)
                        .sum();
    }

    private static long bytesToTokens(String text) {
        return (text.getBytes(StandardCharsets.UTF_8).length + 3) / 4;
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int atoms = random.nextInt(random.nextBoolean() ? 20 : 400);
        for (int i = 0; i < atoms; i++) {
            text.append(ATOMS.get(random.nextInt(ATOMS.size())));
        }
        return text.toString();
    }
}
