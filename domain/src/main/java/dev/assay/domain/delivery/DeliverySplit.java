package dev.assay.domain.delivery;

/** Cuts lines into batches, one after the other, in the order of a campaign. */
public final class DeliverySplit {

    /** The share of a provider's size of a file that Assay fills, in percent: it may count bytes otherwise. */
    private static final int FILLED_PERCENT = 95;

    private final Bounds bounds;
    private long room;
    private int lines;
    private long bytes;
    private boolean isWaiting;

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

    /** Where a line goes. */
    public enum Place {
        /** Into the batch of the line before it. */
        SAME,
        /** Into the next batch, as its first line. */
        NEXT,
        /** Into none yet: other tokens of the model must come back first. All lines after it wait, too, but for those too large. */
        WAITS,
        /** Into none: it is too large for any. */
        TOO_LARGE
    }

    /** @param out tokens of the model that are out */
    public DeliverySplit(Bounds bounds, long out) {
        this.bounds = bounds;
        this.room = bounds.enqueuedTokens() == 0 ? Long.MAX_VALUE : bounds.enqueuedTokens() - out;
    }

    /** Whether nothing more can go now. */
    public boolean isFull() {
        return isWaiting || room <= 0;
    }

    /** Takes the next line. */
    public Place take(Line line) {
        if (bounds.isTooLarge(line)) {
            return Place.TOO_LARGE;
        }
        if (isWaiting || line.tokens() > room) {
            isWaiting = true;
            return Place.WAITS;
        }
        room -= line.tokens();
        boolean isNext = lines > 0 && (lines == bounds.maxLines() || bytes + line.bytes() > bounds.mostBytes());
        lines = isNext ? 1 : lines + 1;
        bytes = isNext ? line.bytes() : bytes + line.bytes();
        return isNext ? Place.NEXT : Place.SAME;
    }
}
