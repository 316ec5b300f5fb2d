package dev.assay.domain.comparison;

import dev.assay.domain.statistics.CaseCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The cases of two by what they have in common, each list sorted by id.
 *
 * @param shared cases that both have, with the same content
 * @param first the trials of each shared case with the first
 * @param second the same with the second
 * @param firstMeasures what those trials took
 * @param secondMeasures the same with the second
 * @param tags of each shared case in the second
 * @param changed ids that both have, with another content: they are not paired
 * @param onlyFirst ids that only the first has
 * @param onlySecond ids that only the second has
 */
public record PairedCases(
        List<String> shared,
        List<CaseCounts> first,
        List<CaseCounts> second,
        List<CaseMeasures> firstMeasures,
        List<CaseMeasures> secondMeasures,
        List<List<String>> tags,
        List<String> changed,
        List<String> onlyFirst,
        List<String> onlySecond) {

    public PairedCases {
        shared = List.copyOf(shared);
        first = List.copyOf(first);
        second = List.copyOf(second);
        firstMeasures = List.copyOf(firstMeasures);
        secondMeasures = List.copyOf(secondMeasures);
        tags = List.copyOf(tags);
        changed = List.copyOf(changed);
        onlyFirst = List.copyOf(onlyFirst);
        onlySecond = List.copyOf(onlySecond);
    }

    private record Pair(ComparedCase one, ComparedCase other) {}

    /** Pairs the cases; ids are unique on each side, in any order. */
    public static PairedCases of(List<ComparedCase> first, List<ComparedCase> second) {
        Map<String, ComparedCase> others = new HashMap<>();
        second.forEach(one -> others.put(one.caseId(), one));
        List<Pair> shared = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        List<String> onlyFirst = new ArrayList<>();
        for (ComparedCase one : first) {
            ComparedCase other = others.get(one.caseId());
            if (other == null) {
                onlyFirst.add(one.caseId());
            } else if (other.contentHash().equals(one.contentHash())) {
                shared.add(new Pair(one, other));
            } else {
                changed.add(one.caseId());
            }
        }
        shared.sort(Comparator.comparing(pair -> pair.one().caseId()));
        Set<String> known = new HashSet<>();
        first.forEach(one -> known.add(one.caseId()));
        return new PairedCases(
                shared.stream().map(pair -> pair.one().caseId()).toList(),
                shared.stream().map(pair -> pair.one().counts()).toList(),
                shared.stream().map(pair -> pair.other().counts()).toList(),
                shared.stream().map(pair -> pair.one().measures()).toList(),
                shared.stream().map(pair -> pair.other().measures()).toList(),
                shared.stream().map(pair -> pair.other().tags()).toList(),
                changed.stream().sorted().toList(),
                onlyFirst.stream().sorted().toList(),
                others.keySet().stream()
                        .filter(id -> !known.contains(id))
                        .sorted()
                        .toList());
    }

    /** The shared cases at some places of {@link #shared}, and no other cases. */
    PairedCases only(List<Integer> places) {
        return new PairedCases(
                at(shared, places),
                at(first, places),
                at(second, places),
                at(firstMeasures, places),
                at(secondMeasures, places),
                at(tags, places),
                List.of(),
                List.of(),
                List.of());
    }

    private static <T> List<T> at(List<T> all, List<Integer> places) {
        return places.stream().<T>map(all::get).toList();
    }
}
