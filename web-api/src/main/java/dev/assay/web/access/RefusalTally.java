package dev.assay.web.access;

import dev.assay.store.access.RefusalRow;
import dev.assay.store.access.RefusedRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides which refused requests get a row of their own in the audit, and counts the others into the last row of their address.
 * It keeps what is not written yet. Whoever asks as often as they can, from as many addresses as they can, fills neither the table
 * nor the memory.
 *
 * <p>Times are those of {@link System#nanoTime}, which nobody sets.
 */
final class RefusalTally {

    /** Rows of one address in any 60 s. */
    static final int PER_ADDRESS = 60;

    /** Rows of all addresses in any 60 s. */
    static final int PER_SERVER = 600;

    /** From so many waiting rows on none is begun: while PostgreSQL is away, the rest is counted into rows that are there. */
    static final int MOST_WAITING = 1_200;

    private static final long MINUTE = TimeUnit.SECONDS.toNanos(60);

    /** Those with a row in the last 60 s, so that there are never more than rows of the server. */
    private final Map<String, Origin> origins = new HashMap<>();

    private final Recent server = new Recent(PER_SERVER - 1);
    /** All addresses for which there is no row. */
    private final Recent ofOthers = new Recent(1);

    private @Nullable Line others;

    private final Set<Line> waiting = new LinkedHashSet<>();

    /** The moments of the last 60 s. */
    private static final class Recent {

        private final int most;
        private final Deque<Long> moments = new ArrayDeque<>();

        Recent(int most) {
            this.most = most;
        }

        int count(long now) {
            while (!moments.isEmpty() && now - moments.getFirst() >= MINUTE) {
                moments.removeFirst();
            }
            return moments.size();
        }

        boolean hasRoom(long now) {
            return count(now) < most;
        }

        void add(long now) {
            moments.addLast(now);
        }
    }

    /** A row to be, which is equal to itself only. */
    private static final class Line {

        private final RefusedRequest request;
        private @Nullable Long id;
        private long repeated;

        Line(RefusedRequest request) {
            this.request = request;
        }

        /** Null: it has no id yet. */
        @Nullable
        RefusalRow row() {
            return id == null ? null : new RefusalRow(id, request, repeated);
        }
    }

    private static final class Origin {

        private final Recent rows = new Recent(PER_ADDRESS);
        private Line last;

        Origin(Line first) {
            this.last = first;
        }
    }

    /** Counts a refused request. */
    synchronized void count(RefusedRequest request, long now) {
        Origin origin = origins.get(request.by().from());
        boolean hasRoom = waiting.size() < MOST_WAITING && server.hasRoom(now);
        if (hasRoom && (origin == null || origin.rows.hasRoom(now))) {
            server.add(now);
            Line line = begin(request);
            Origin known = origins.computeIfAbsent(request.by().from(), _ -> new Origin(line));
            known.last = line;
            known.rows.add(now);
        } else if (origin != null) {
            repeat(origin.last);
        } else {
            countAmongOthers(request, now);
        }
    }

    private void countAmongOthers(RefusedRequest request, long now) {
        Line line = others;
        if (line == null || (ofOthers.hasRoom(now) && waiting.size() < MOST_WAITING)) {
            ofOthers.add(now);
            others = begin(request.ofManyAddresses());
        } else {
            repeat(line);
        }
    }

    private Line begin(RefusedRequest request) {
        Line line = new Line(request);
        waiting.add(line);
        return line;
    }

    private void repeat(Line line) {
        line.repeated++;
        waiting.add(line);
    }

    /** The number of waiting rows without an id. */
    synchronized int unnumbered() {
        return (int) waiting.stream().filter(line -> line.id == null).count();
    }

    /** Gives ids to waiting rows that have none, the oldest first. */
    synchronized void number(Collection<Long> ids) {
        Deque<Long> left = new ArrayDeque<>(ids);
        for (Line line : waiting) {
            if (line.id == null && !left.isEmpty()) {
                line.id = left.removeFirst();
            }
        }
    }

    /** What is to be written; forgets addresses without a row in the last 60 s. */
    synchronized List<RefusalRow> toWrite(long now) {
        origins.values().removeIf(origin -> origin.rows.count(now) == 0);
        List<RefusalRow> rows = new ArrayList<>();
        for (Line line : waiting) {
            RefusalRow row = line.row();
            if (row != null) {
                rows.add(row);
            }
        }
        return rows;
    }

    /** These are written. A row that counted further meanwhile waits again. */
    synchronized void written(List<RefusalRow> rows) {
        Set<RefusalRow> done = new HashSet<>(rows);
        waiting.removeIf(line -> {
            RefusalRow row = line.row();
            return row != null && done.contains(row);
        });
    }

    /** Addresses that are remembered. */
    synchronized int addresses() {
        return origins.size();
    }

    /** Rows that wait. */
    synchronized int waitingRows() {
        return waiting.size();
    }
}
