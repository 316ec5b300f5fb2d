package dev.assay.activities.isolation;

import dev.assay.work.confine.Landlock;
import dev.assay.work.confine.Wall;
import java.io.IOException;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rulesets that open every TCP port but this installation's own. One is made once, and another when these change. */
final class PortWall {

    /** The version of Landlock that knows TCP. */
    static final int VERSION = 4;

    /** A name that resolves only now and then makes two sets of ports, by turns. */
    private static final int KEPT = 8;

    private final OwnPorts ports;
    private final SequencedMap<Set<Integer>, Landlock> made = new LinkedHashMap<>(KEPT, 1, true);

    PortWall(OwnPorts ports) {
        this.ports = ports;
    }

    /** The ruleset; null: there is no port to close. */
    synchronized @Nullable Landlock now() throws IOException {
        Set<Integer> own = Set.copyOf(ports.now());
        if (own.isEmpty()) {
            return null;
        }
        Landlock known = made.get(own);
        if (known != null) {
            return known;
        }
        Landlock wall = wall(own);
        made.put(own, wall);
        if (made.size() > KEPT) {
            // A start that still has it fails, and nothing is open.
            made.pollFirstEntry().getValue().close();
        }
        return wall;
    }

    private static Landlock wall(Set<Integer> own) throws IOException {
        Landlock wall = Landlock.closing(EnumSet.of(Wall.CONNECT));
        try {
            return wall.connectAllBut(own);
        } catch (IOException e) {
            wall.close();
            throw e;
        }
    }
}
