package dev.assay.work.archive;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file, directory or link of an archive: where it lies, what it is, and where a link leads. */
final class Place {

    /** The kinds of places. */
    enum Kind {
        /** A directory that no entry names. */
        UNNAMED,
        DIRECTORY,
        FILE,
        LINK
    }

    /** The target of what is no link. */
    static final byte[] NO_TARGET = {};

    /** A number of its own, from 0 for the top. */
    final int id;

    /** Null: the top. */
    final @Nullable Place parent;

    final String name;
    private Kind kind = Kind.UNNAMED;
    private byte[] target = NO_TARGET;

    /** Where it leads, once that is known. */
    @Nullable
    Arrival arrival;

    Place(int id, @Nullable Place parent, String name) {
        this.id = id;
        this.parent = parent;
        this.name = name;
    }

    Kind kind() {
        return kind;
    }

    boolean isDirectory() {
        return kind == Kind.DIRECTORY || kind == Kind.UNNAMED;
    }

    /** The way to it from the top. */
    List<String> path() {
        List<String> path = new ArrayList<>();
        for (Place place = this; place.parent != null; place = place.parent) {
            path.addFirst(place.name);
        }
        return path;
    }

    /** The way to it as messages show it. */
    String shown() {
        return ShownName.of(String.join("/", path()));
    }

    /** The target as it stands in the archive; of one that is too long one byte more than is allowed. */
    byte[] target() {
        return target;
    }

    void become(Kind named, byte[] leadsTo) {
        kind = named;
        target = leadsTo;
    }

    /**
     * The place where the way to a link's target ends.
     *
     * @param place the last one on the way that there is
     * @param beyond segments below it that there are not
     */
    record Arrival(Place place, int beyond, int links) {}
}
