package dev.assay.web.parquet;

/** Levels that are 0 or 1, as runs of equal ones: the encoding RLE with a width of one bit. */
final class LevelRuns {

    private final PlainBytes runs = new PlainBytes();
    private int level;
    private int length;
    private int count;

    void add(int next) {
        if (next != level) {
            end();
            level = next;
        }
        length++;
        count++;
    }

    private void end() {
        if (length > 0) {
            runs.addVariable(length << 1);
            runs.addByte(level);
            length = 0;
        }
    }

    /** How many levels there are. */
    int count() {
        return count;
    }

    /** Writes all of them behind their length in bytes, and begins anew. */
    void moveTo(PlainBytes page) {
        end();
        page.addInt(runs.size());
        page.add(runs);
        runs.clear();
        count = 0;
    }
}
