package dev.assay.web.export;

import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.result.OutcomeFilter;
import dev.assay.store.result.OutcomeQueries;
import dev.assay.store.result.OutcomeRow;
import dev.assay.web.outcome.OutcomeView;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Writes outcomes page by page, as the client takes them: a slow one holds neither memory nor a connection of the database. */
@Singleton
final class OutcomeExport {

    private static final int PAGE = 500;

    private final OutcomeQueries outcomes;

    OutcomeExport(OutcomeQueries outcomes) {
        this.outcomes = outcomes;
    }

    /** All outcomes that a filter keeps. The first page is read now, so that errors are known before an answer begins. */
    InputStream open(String campaignId, OutcomeFilter filter, ExportFormat format) {
        return stream(format, token -> outcomes.page(campaignId, filter, PageRequest.of(token, PAGE)));
    }

    /**
     * The same of some cases.
     *
     * @param positions of the cases, ascending
     */
    InputStream open(StoredCampaign campaign, List<Integer> positions, OutcomeFilter filter, ExportFormat format) {
        return stream(format, token -> page(campaign, positions, filter, token == null ? 0 : Long.parseLong(token)));
    }

    /** Pages as bytes. Closing it reads no more of them: by itself such a stream is read to its end when it is closed. */
    static InputStream stream(ExportFormat format, Function<@Nullable String, Page<OutcomeRow>> reading) {
        Pages pages = new Pages(format, reading);
        return new SequenceInputStream(pages) {
            @Override
            public void close() throws IOException {
                pages.closed = true;
                super.close();
            }
        };
    }

    /** As many trials as have about a page of outcomes; {@code from} counts those of all repetitions, from 0. */
    private Page<OutcomeRow> page(StoredCampaign campaign, List<Integer> positions, OutcomeFilter filter, long from) {
        long end = (long) campaign.trials() * positions.size();
        long until = Math.min(
                end, from + Math.max(1, PAGE / campaign.definition().branches().size()));
        List<Integer> ordinals = LongStream.range(from, until)
                .mapToObj(i -> Math.toIntExact(
                        i / positions.size() * campaign.caseCount() + positions.get((int) (i % positions.size()))))
                .toList();
        return new Page<>(
                outcomes.ofTrials(campaign.id(), filter, ordinals), until == end ? null : Long.toString(until));
    }

    /** Pages as bytes, each read when the one before was taken. */
    @SuppressWarnings("JdkObsolete") // SequenceInputStream takes nothing else
    private static final class Pages implements Enumeration<InputStream> {

        private final ExportFormat format;
        private final Function<@Nullable String, Page<OutcomeRow>> reading;
        private @Nullable Page<OutcomeRow> next;
        private String begin;

        /** Another thread closes it when the client leaves. */
        private volatile boolean closed;

        Pages(ExportFormat format, Function<@Nullable String, Page<OutcomeRow>> reading) {
            this.format = format;
            this.reading = reading;
            this.begin = format.begin();
            this.next = reading.apply(null);
        }

        @Override
        public boolean hasMoreElements() {
            return next != null && !closed;
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
            next = token == null ? null : reading.apply(token);
            return new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
