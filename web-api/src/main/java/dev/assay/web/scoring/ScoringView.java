package dev.assay.web.scoring;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.campaigns.scoring.ScoringReports;
import dev.assay.domain.scoring.ScoringReport;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The report of a scoring.
 *
 * @param report with a page of its flips
 * @param nextPageToken asks for the flips after these; null: there are none
 */
@Schema(name = "Scoring")
public record ScoringView(
        @JsonUnwrapped ScoringReport report, @Nullable String nextPageToken) {

    static ScoringView of(ScoringReports.Paged paged) {
        return new ScoringView(paged.report(), paged.nextPageToken());
    }
}
