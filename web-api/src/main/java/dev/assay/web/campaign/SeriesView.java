package dev.assay.web.campaign;

import dev.assay.store.series.SeriesBucket;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * The speed of a campaign over time.
 *
 * @param items the spans in which cells were finished, oldest first, all of one length; at most 300. A span without a cell is left
 *     out, and so is what a build before 0.2 recorded
 */
@Schema(name = "Series")
record SeriesView(List<SeriesBucket> items) {

    SeriesView {
        items = List.copyOf(items);
    }
}
