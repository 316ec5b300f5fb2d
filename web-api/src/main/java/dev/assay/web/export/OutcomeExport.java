package dev.assay.web.export;

import dev.assay.store.page.Page;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.OutcomeRow;
import dev.assay.web.outcome.OutcomeView;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Writes outcomes page by page, as the client takes them: a slow one holds neither memory nor a connection of the database. */
@Singleton
final class OutcomeExport {

    private static final int PAGE = 500;

    private final OutcomeQueries outcomes;

    OutcomeExport(OutcomeQueries outcomes) {
        this.outcomes = outcomes;
    }

    /** All outcomes that a filter keeps. The first page is read now: what is wrong is known before an answer begins. */
    InputStream open(String campaignId, OutcomeFilter filter, ExportFormat format) {
        return new SequenceInputStream(new Pages(campaignId, filter, format));
    }

    /** Pages as bytes, each read when the one before was taken. */
    @SuppressWarnings("JdkObsolete") // SequenceInputStream takes nothing else
    private final class Pages implements Enumeration<InputStream> {

        private final String campaignId;
        private final OutcomeFilter filter;
        private final ExportFormat format;
        private @Nullable Page<OutcomeRow> next;
        private String begin;

        Pages(String campaignId, OutcomeFilter filter, ExportFormat format) {
            this.campaignId = campaignId;
            this.filter = filter;
            this.format = format;
            this.begin = format.begin();
            this.next = outcomes.page(campaignId, filter, null, PAGE);
        }

        @Override
        public boolean hasMoreElements() {
            return next != null;
        }

        @Override
        public InputStream nextElement() {
            Page<OutcomeRow> page = next;
            if (page == null) {
                throw new NoSuchElementException();
            }
            StringBuilder text = new StringBuilder(begin);
            begin = "";
            page.items().forEach(row -> text.append(format.record(OutcomeView.of(row))));
            String token = page.nextPageToken();
            next = token == null ? null : outcomes.page(campaignId, filter, token, PAGE);
            return new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
