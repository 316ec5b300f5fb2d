package dev.assay.store.campaign;

import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/** A cache of parsed definitions: activities and polling clients read the same few campaigns all the time. */
final class DefinitionCache {

    private static final int SIZE = 64;

    /** Keyed by the document itself: the same text always has the same meaning. */
    private static final Map<String, CampaignDefinition> RECENT = new LinkedHashMap<>(SIZE, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CampaignDefinition> eldest) {
            return size() > SIZE;
        }
    };

    private DefinitionCache() {}

    /** The definition in {@code document}. */
    static CampaignDefinition definition(String document) {
        synchronized (RECENT) {
            return RECENT.computeIfAbsent(document, text -> CampaignReader.readStored(Json.tree(text)));
        }
    }
}
