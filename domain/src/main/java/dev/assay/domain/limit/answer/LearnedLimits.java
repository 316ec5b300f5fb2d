package dev.assay.domain.limit.answer;

import dev.assay.domain.limit.LimitKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The limits of a pool that its answers have taught. One of a named period counts at once. One of an inferred period counts when
 * three answers in a row agree on it and differ in what is used. A counter of a second would look the same each time.
 *
 * @param inForce units a period of each limit that counts
 * @param seen inferred limits of the last answers
 */
public record LearnedLimits(Map<LimitKind, Long> inForce, Map<LimitKind, Sighting> seen) {

    /** Nothing was learned yet. */
    public static final LearnedLimits NONE = new LearnedLimits(Map.of(), Map.of());

    private static final int ANSWERS = 3;

    public LearnedLimits {
        inForce = Map.copyOf(inForce);
        seen = Map.copyOf(seen);
    }

    /**
     * An inferred limit, as answers in a row gave it.
     *
     * @param used what was used of it, the oldest first, at most three
     */
    public record Sighting(long limit, List<Long> used) {

        public Sighting {
            used = List.copyOf(used.subList(Math.max(0, used.size() - ANSWERS), used.size()));
        }

        private boolean isCertain() {
            return used.size() == ANSWERS && new HashSet<>(used).size() > 1;
        }
    }

    /** The same after another answer, which gave {@code limits}. */
    public LearnedLimits after(List<HeaderLimit> limits) {
        Map<LimitKind, Long> force = new EnumMap<>(LimitKind.class);
        force.putAll(inForce);
        Map<LimitKind, Sighting> sightings = new EnumMap<>(LimitKind.class);
        for (HeaderLimit said : limits) {
            Sighting before = seen.get(said.kind());
            if (said.named() || said.remaining() == null) {
                force.put(said.kind(), said.limit());
                if (before != null) {
                    sightings.put(said.kind(), before);
                }
                continue;
            }
            List<Long> used =
                    new ArrayList<>(before != null && before.limit() == said.limit() ? before.used() : List.of());
            used.add(said.limit() - said.remaining());
            Sighting sighting = new Sighting(said.limit(), used);
            sightings.put(said.kind(), sighting);
            if (sighting.isCertain()) {
                force.put(said.kind(), said.limit());
            }
        }
        return new LearnedLimits(force, sightings);
    }
}
