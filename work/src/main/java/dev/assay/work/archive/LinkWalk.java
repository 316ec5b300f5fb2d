package dev.assay.work.archive;

import dev.assay.work.archive.Place.Arrival;

/**
 * The ways to the targets of links, segment by segment through the links of the archive, by rule 6. Each way is walked once: one that
 * goes through a link goes on where that link's own way ended. So the work grows with the targets' length alone.
 */
final class LinkWalk {

    /** The reason of a link that is absolute or goes above the top. */
    static final String OUT = "leads out of the workspace";

    private final ArchiveTree tree;

    LinkWalk(ArchiveTree tree) {
        this.tree = tree;
    }

    /**
     * Walks the way of a link.
     *
     * @return its target
     * @throws RefusedArchiveException by rule 6
     */
    String check(Place link) throws RefusedArchiveException {
        arrival(link, 0);
        return target(link);
    }

    /** @param depth links whose ways are being walked */
    private Arrival arrival(Place link, int depth) throws RefusedArchiveException {
        Arrival arrival = link.arrival;
        if (arrival == null) {
            Place parent = link.parent;
            arrival = new Arrival(parent == null ? link : parent, 0, 0);
            for (String segment : target(link).split("/", -1)) {
                arrival = step(arrival, segment, depth);
            }
            link.arrival = arrival;
        }
        return arrival;
    }

    private Arrival step(Arrival at, String segment, int depth) throws RefusedArchiveException {
        if (segment.isEmpty() || segment.equals(".")) {
            return at;
        }
        if (at.beyond() == 0 && !at.place().isDirectory()) {
            throw refused("leads through the file `%s`".formatted(at.place().shown()));
        }
        if (segment.equals("..")) {
            return up(at);
        }
        Place next = at.beyond() > 0 ? null : tree.below(at.place(), segment);
        if (next == null) {
            return new Arrival(at.place(), at.beyond() + 1, at.links());
        }
        return next.kind() == Place.Kind.LINK ? through(at, next, depth) : new Arrival(next, 0, at.links());
    }

    private static Arrival up(Arrival at) throws RefusedArchiveException {
        if (at.beyond() > 0) {
            return new Arrival(at.place(), at.beyond() - 1, at.links());
        }
        if (at.place().parent == null) {
            throw refused(OUT);
        }
        return new Arrival(at.place().parent, 0, at.links());
    }

    private Arrival through(Arrival at, Place link, int depth) throws RefusedArchiveException {
        int links = at.links() + 1;
        if (links <= ArchiveLimits.LINKS && depth < ArchiveLimits.LINKS) {
            Arrival via = arrival(link, depth + 1);
            links += via.links();
            if (links <= ArchiveLimits.LINKS) {
                return new Arrival(via.place(), via.beyond(), links);
            }
        }
        throw refused("leads through more than 40 links");
    }

    private static String target(Place link) throws RefusedArchiveException {
        byte[] raw = link.target();
        if (raw.length == 0) {
            throw refused("leads nowhere: it has no target");
        }
        if (raw.length > ArchiveLimits.NAME) {
            throw refused("has a target of more than 4,096 bytes");
        }
        String target = ShownName.decoded(raw, raw.length);
        if (target == null) {
            throw refused("has a target that is not UTF-8");
        }
        if (target.startsWith("/")) {
            throw refused(OUT);
        }
        if (EntryName.hasForbidden(target)) {
            throw refused(EntryName.UNPRINTABLE.formatted("target"));
        }
        return target;
    }

    private static RefusedArchiveException refused(String reason) {
        return new RefusedArchiveException(ArchiveRule.LINKS, reason);
    }
}
