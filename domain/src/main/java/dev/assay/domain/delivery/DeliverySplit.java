package dev.assay.domain.delivery;

import java.util.ArrayList;
import java.util.List;

/**
 * Lines cut into batches, in their order. All lists hold indexes of lines.
 *
 * @param batches those that may go now
 * @param waits lines that go when other tokens of the model have come back
 * @param large lines that are too large for any batch
 */
public record DeliverySplit(List<List<Integer>> batches, List<Integer> waits, List<Integer> large) {

    /** The share of a provider's size of a file that Assay fills, in percent: it may count bytes otherwise. */
    private static final int FILLED_PERCENT = 95;

    /**
     * A line of the file that is uploaded.
     *
     * @param bytes with its line feed
     * @param tokens that the model may be sent, by estimate
     */
    public record Line(long bytes, long tokens) {}

    /**
     * The bounds of a batch.
     *
     * @param maxLines at least 1
     * @param maxBytes of the file, of which 95 % are filled
     * @param enqueuedTokens of one model that may be out together; 0: any number
     */
    public record Bounds(int maxLines, long maxBytes, long enqueuedTokens) {

        private boolean isTooLarge(Line line) {
            return line.bytes() > mostBytes() || (enqueuedTokens > 0 && line.tokens() > enqueuedTokens);
        }

        private long mostBytes() {
            return maxBytes / 100 * FILLED_PERCENT + maxBytes % 100 * FILLED_PERCENT / 100;
        }
    }

    /**
     * Cuts {@code lines}. The first line that has to wait makes all after it wait, too: the order of a campaign is kept.
     *
     * @param out tokens of the model that are out
     */
    public static DeliverySplit of(List<Line> lines, Bounds bounds, long out) {
        List<List<Integer>> batches = new ArrayList<>();
        List<Integer> waits = new ArrayList<>();
        List<Integer> large = new ArrayList<>();
        List<Integer> now = new ArrayList<>();
        long size = 0;
        long room = bounds.enqueuedTokens() == 0 ? Long.MAX_VALUE : bounds.enqueuedTokens() - out;
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (bounds.isTooLarge(line)) {
                large.add(i);
            } else if (!waits.isEmpty() || line.tokens() > room) {
                waits.add(i);
            } else {
                room -= line.tokens();
                boolean isFull = now.size() == bounds.maxLines() || size + line.bytes() > bounds.mostBytes();
                if (isFull && !now.isEmpty()) {
                    batches.add(now);
                    now = new ArrayList<>();
                    size = 0;
                }
                now.add(i);
                size += line.bytes();
            }
        }
        if (!now.isEmpty()) {
            batches.add(now);
        }
        return new DeliverySplit(batches, waits, large);
    }
}
