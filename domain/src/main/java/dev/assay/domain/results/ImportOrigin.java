package dev.assay.domain.results;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the results of an imported campaign come from. The names are those of its JSON.
 *
 * @param tool that asked the branches and judged them
 * @param toolVersion null: not said
 * @param files that its results were read from; empty: they were sent without files
 * @param createdAt when the tool made them; null: not said
 * @param complete whether nothing of its run is missing
 */
public record ImportOrigin(
        String tool,
        @Nullable String toolVersion,
        List<ImportedFile> files,
        @Nullable Instant createdAt,
        boolean complete) {

    public ImportOrigin {
        files = List.copyOf(files);
    }

    /** The same, of which nothing or something is missing. */
    public ImportOrigin with(boolean isComplete) {
        return new ImportOrigin(tool, toolVersion, files, createdAt, isComplete);
    }
}
