package dev.assay.work.archive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All names of an archive so far, which decide by the rules 3 and 4 about each further one. Its memory is bounded by rule 5, whatever
 * the names are. {@link LinkWalk} decides about the links when all names are there.
 */
final class ArchiveTree {

    private static final Comparator<Step> ORDER =
            Comparator.comparingInt(Step::parent).thenComparing(Step::name);

    private final Place top = new Place(0, null, "");
    private final Map<Step, Place> places = new HashMap<>();
    private final Map<Step, String> folded = new HashMap<>();
    private final List<Place> links = new ArrayList<>();
    private int unnamed;
    private long names;
    private int sigmas;

    /** A name below a place. It is comparable, so that a map stays fast when many have the same hash. */
    private record Step(int parent, String name) implements Comparable<Step> {

        @Override
        public int compareTo(Step other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * Takes an entry.
     *
     * @param target of a link, as it stands in the archive; it is looked at when all names are known
     * @return how many segments of the name were known before
     * @throws RefusedArchiveException by rule 3, 4 or 5
     */
    int add(EntryName name, Place.Kind kind, byte[] target) throws RefusedArchiveException {
        Place place = top;
        int known = 0;
        for (int depth = 0; depth < name.segments().size(); depth++) {
            if (!place.isDirectory()) {
                throw new RefusedArchiveException(
                        ArchiveRule.PARENTS,
                        "lies below the %s `%s`"
                                .formatted(place.kind() == Place.Kind.LINK ? "link" : "file", place.shown()));
            }
            Step step = new Step(place.id, name.segments().get(depth));
            Place next = places.get(step);
            known += next == null ? 0 : 1;
            place = next == null ? make(place, step) : next;
        }
        if (known == name.segments().size()) {
            checkAgain(place, kind);
        }
        unnamed += Math.max(0, name.segments().size() - 1 - known);
        if (unnamed > ArchiveLimits.UNNAMED_DIRECTORIES) {
            throw amount("lies in more than 100,000 directories that no entry names, with those before it");
        }
        become(place, kind, Arrays.copyOf(target, Math.min(target.length, ArchiveLimits.NAME + 1)));
        return known;
    }

    private static void checkAgain(Place place, Place.Kind kind) throws RefusedArchiveException {
        if (place.kind() == Place.Kind.UNNAMED && kind != Place.Kind.DIRECTORY) {
            throw new RefusedArchiveException(ArchiveRule.PARENTS, "is no directory, and other entries lie below it");
        }
        if (!place.isDirectory() || kind != Place.Kind.DIRECTORY) {
            throw new RefusedArchiveException(ArchiveRule.COLLISIONS, "has the name of an entry before it");
        }
    }

    private Place make(Place parent, Step step) throws RefusedArchiveException {
        sigmas += FoldedName.sigmas(step.name());
        if (sigmas > ArchiveLimits.SIGMAS) {
            throw amount("brings names to more than 100,000 capital sigmas together");
        }
        take(EntryName.bytes(step.name()));
        Place made = new Place(places.size() + 1, parent, step.name());
        String other = folded.putIfAbsent(new Step(parent.id, FoldedName.of(step.name())), step.name());
        if (other != null) {
            throw new RefusedArchiveException(
                    ArchiveRule.COLLISIONS,
                    "needs `%s` beside `%s`, which are one name where case and Unicode forms do not count"
                            .formatted(made.shown(), new Place(0, parent, other).shown()));
        }
        places.put(step, made);
        return made;
    }

    private void become(Place place, Place.Kind kind, byte[] target) throws RefusedArchiveException {
        place.become(kind, target);
        if (kind == Place.Kind.LINK) {
            take(target.length);
            links.add(place);
        }
    }

    private void take(int bytes) throws RefusedArchiveException {
        names += bytes;
        if (names > ArchiveLimits.NAMES) {
            throw amount("brings names and targets to more than 16,777,216 bytes together");
        }
    }

    private static RefusedArchiveException amount(String reason) {
        return new RefusedArchiveException(ArchiveRule.AMOUNTS, reason);
    }

    /** The place of that name right below {@code parent}; null: there is none. */
    @Nullable
    Place below(Place parent, String name) {
        return places.get(new Step(parent.id, name));
    }

    /** The links, in the order of the archive. */
    List<Place> links() {
        return links;
    }
}
