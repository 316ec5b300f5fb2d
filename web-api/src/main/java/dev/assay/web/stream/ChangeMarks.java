package dev.assay.web.stream;

import dev.assay.store.campaign.CampaignMarks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Marks of campaigns, read by one statement for all that were asked for lately. */
public final class ChangeMarks {

    /** A campaign that nobody asked for in this time is not read for others. */
    private static final long LATELY = Duration.ofSeconds(10).toNanos();

    private final CampaignMarks store;
    private final long fresh;
    private final Map<String, Long> asked = new HashMap<>();
    private Map<String, String> marks = new HashMap<>();
    private long readAt;

    /**
     * Marks of nothing yet.
     *
     * @param fresh how old a mark may be
     */
    public ChangeMarks(CampaignMarks store, Duration fresh) {
        this.store = store;
        this.fresh = fresh.toNanos();
    }

    /** The mark of a campaign, perhaps not the newest; empty: there is none with this id. */
    public synchronized String of(String campaignId) {
        long now = System.nanoTime();
        boolean known = asked.put(campaignId, now) != null;
        if (now - readAt > fresh) {
            asked.values().removeIf(at -> now - at > LATELY);
            marks = new HashMap<>(store.of(List.copyOf(asked.keySet())));
            readAt = now;
        } else if (!known) {
            marks.putAll(store.of(List.of(campaignId)));
        }
        return marks.getOrDefault(campaignId, "");
    }
}
