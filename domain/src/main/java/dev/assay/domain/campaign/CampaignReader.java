package dev.assay.domain.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.provider.ProviderInfo;
import java.util.Map;

/** Reads campaign files: finds every error at once, each with its path. */
@SuppressWarnings("DoNotCallSuggester")
public final class CampaignReader {

    private CampaignReader() {}

    /**
     * Reads a submitted campaign, in which {@code suite} and {@code cassette} files were inlined already.
     *
     * @param document the campaign file as a tree
     * @param providers what can be asked, by name
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public static CampaignSubmission read(JsonNode document, Map<String, ProviderInfo> providers) {
        throw new UnsupportedOperationException();
    }

    /** Reads back a document that {@link CampaignSubmission#document} stored. */
    public static CampaignDefinition readStored(JsonNode document) {
        throw new UnsupportedOperationException();
    }
}
