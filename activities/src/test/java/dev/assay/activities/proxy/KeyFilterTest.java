package dev.assay.activities.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyFilterTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** What comes out when {@code text} comes in pieces. */
    private static String filtered(String key, String text, Random random) {
        KeyFilter filter = new KeyFilter(bytes(key));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] all = bytes(text);
        int next = 0;
        while (next < all.length) {
            int count = Math.min(all.length - next, 1 + random.nextInt(5));
            byte[] piece = new byte[count];
            System.arraycopy(all, next, piece, 0, count);
            out.writeBytes(filter.pass(piece, count));
            next += count;
        }
        out.writeBytes(filter.rest());
        return out.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void shouldHideTheKeyWhereverItIsCut() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(20); j > 0; j--) {
                text.append(new String[] {"aab", "a", "b", "x"}[random.nextInt(4)]);
            }
            assertThat(filtered("aab", text.toString(), random))
                    .isEqualTo(text.toString().replace("aab", "[key]"));
        }
    }

    @Test
    void shouldPassEverythingOnWhenThereIsNoKey() {
        assertThat(filtered("", "data: x", new Random(1))).isEqualTo("data: x");
    }

    @Test
    void shouldHoldNothingThatCannotBeTheBeginOfTheKey() {
        KeyFilter filter = new KeyFilter(bytes("sk-key"));

        assertThat(filter.pass(bytes("data: {}\n\n"), 10)).isEqualTo(bytes("data: {}\n\n"));
        assertThat(filter.pass(bytes("sk-"), 3)).isEmpty();
        assertThat(filter.rest()).isEqualTo(bytes("sk-"));
    }
}
