package dev.assay.web.imported;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An import that was begun.
 *
 * @param id names it in addresses; null: the same files were imported before
 * @param campaign the campaign of the same files; null: there is none yet
 */
@Schema(name = "Import")
public record ImportView(
        @JsonProperty("import") @Schema(name = "import") @Nullable
        String id,

        @Nullable String campaign) {}
