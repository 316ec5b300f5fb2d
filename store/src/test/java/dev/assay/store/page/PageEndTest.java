package dev.assay.store.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PageEndTest {

    private static final long MEGABYTE = 1_000_000;

    private static List<Long> items(int count, long octets) {
        return Collections.nCopies(count, octets);
    }

    @Test
    void shouldEndBeforeTheItemThatTakesItPastItsBytes() {
        PageEnd end = PageEnd.of(items(20, MEGABYTE), 100);

        assertThat(end.items()).isEqualTo(7);
        assertThat(end.bytes()).isEqualTo(7 * (1_100_000 + 512)).isLessThanOrEqualTo(PageEnd.MOST);
        assertThat(end.isLast()).isFalse();
    }

    @Test
    void shouldHaveOneItemWhenThatIsLargerThanAPage() {
        PageEnd end = PageEnd.of(List.of(100 * MEGABYTE, 1L), 100);

        assertThat(end.items()).isEqualTo(1);
        assertThat(end.isLast()).isFalse();
    }

    @Test
    void shouldEndAtItsSizeWhenItemsAreSmall() {
        assertThat(PageEnd.of(items(11, 10), 10)).isEqualTo(new PageEnd(10, 10 * (11 + 512), false));
        assertThat(PageEnd.of(items(10, 10), 10).isLast()).isTrue();
    }

    @Test
    void shouldBeTheLastWhenNothingIsThere() {
        assertThat(PageEnd.of(List.of(), 10)).isEqualTo(new PageEnd(0, 0, true));
    }
}
