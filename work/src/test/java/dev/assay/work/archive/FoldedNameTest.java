package dev.assay.work.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FoldedNameTest {

    private static final int[] CHARACTERS = ("ςσΑαßẞİIıiAa.-_'’:1²ªʰⅠⅷⓐ ǅ\u0345\u0301\u0327\u0338\u200d\u00ad"
                    + "日カ\u3099ﬁ\u212b\ufb2c\ud83d\ude00\ud801\udc00\ud801\udc28")
            .codePoints()
            .toArray();

    private static String segment(Random random) {
        return IntStream.range(0, 1 + random.nextInt(8))
                .mapToObj(_ -> Character.toString(CHARACTERS[random.nextInt(CHARACTERS.length)]))
                .collect(Collectors.joining());
    }

    @Test
    void shouldBeTheFoldedPathWhenItsSegmentsAreFoldedOneByOne() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            String first = segment(random);
            String second = segment(random);
            String path = first + "/" + second;

            assertThat(FoldedName.of(first) + "/" + FoldedName.of(second))
                    .as(path)
                    .isEqualTo(Normalizer.normalize(path, Normalizer.Form.NFC).toLowerCase(Locale.ROOT));
        }
    }
}
