package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentText;

/** Campaign files as text. */
public final class CampaignDocument {

    private CampaignDocument() {}

    /**
     * Reads the text of a campaign file, YAML or JSON, as a tree for {@link CampaignReader#read}. Paths in it, such as
     * {@code suite: cases.yaml}, are left as they are written.
     *
     * @throws dev.assay.domain.error.AssayException MALFORMED_INPUT, with line and column, when the text is neither
     */
    public static JsonNode parse(String text) {
        return DocumentText.parse(text);
    }
}
