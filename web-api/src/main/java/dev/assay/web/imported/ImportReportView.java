package dev.assay.web.imported;

import dev.assay.domain.results.ComparedAggregate;
import dev.assay.domain.results.ImportOrigin;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a tool says of its results, beside what they come to.
 *
 * @param tool that made the results
 * @param toolVersion null: not said
 * @param createdAt when it made them; null: not said
 * @param complete whether nothing of its run is missing
 * @param metrics in the order of the tool
 * @param warnings as sentences: where both differ
 */
@Schema(name = "ImportReport")
public record ImportReportView(
        String tool,
        @Nullable String toolVersion,
        @Nullable Instant createdAt,
        boolean complete,
        List<ComparedAggregate> metrics,
        List<String> warnings) {

    public ImportReportView {
        metrics = List.copyOf(metrics);
        warnings = List.copyOf(warnings);
    }

    static ImportReportView of(ImportOrigin origin, List<ComparedAggregate> metrics) {
        return new ImportReportView(
                origin.tool(),
                origin.toolVersion(),
                origin.createdAt(),
                origin.complete(),
                metrics,
                metrics.stream()
                        .map(ComparedAggregate::warning)
                        .filter(Objects::nonNull)
                        .toList());
    }
}
