package dev.assay.web.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.store.page.Page;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OutcomeExportTest {

    private static final int PAGES = 100;

    @Test
    void shouldReadNoFurtherPageWhenItIsClosed() throws Exception {
        AtomicInteger read = new AtomicInteger();
        InputStream file = OutcomeExport.stream(ExportFormat.CSV, token -> {
            int page = read.incrementAndGet();
            return new Page<>(List.of(), page < PAGES ? "next" : null);
        });
        assertThat(file.read()).isEqualTo('c');
        int before = read.get();

        file.close();

        assertThat(read).hasValue(before);
    }
}
