package dev.assay.domain.comparison;

import dev.assay.domain.evidence.BranchEvidence;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.statistics.comparison.PairedRates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cases of two by what they have in common, each list sorted by id.
 *
 * @param shared cases that both have, with the same content
 * @param first the trials of each shared case with the first, as its campaign counts errors
 * @param second the same with the second
 * @param secondMeasures the same with the second
 * @param tags of each shared case in the second
 * @param changed ids that both have, with another content: they are not paired
 * @param onlyFirst ids that only the first has
 * @param onlySecond ids that only the second has
 */
public record PairedCases(
        List<String> shared,
        BranchEvidence first,
        BranchEvidence second,
        List<CaseMeasures> firstMeasures,
        List<CaseMeasures> secondMeasures,
        List<List<String>> tags,
        List<String> changed,
        List<String> onlyFirst,
        List<String> onlySecond) {

    public PairedCases {
        shared = List.copyOf(shared);
        firstMeasures = List.copyOf(firstMeasures);
        secondMeasures = List.copyOf(secondMeasures);
        tags = List.copyOf(tags);
        changed = List.copyOf(changed);
        onlyFirst = List.copyOf(onlyFirst);
        onlySecond = List.copyOf(onlySecond);
    }

    private record Pair(ComparedCase one, ComparedCase other) {

        /** The group of the second's campaign, else of the first's; null: neither relates cases. */
        @Nullable
        String group() {
            return other.group() == null ? one.group() : other.group();
        }
    }

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
        List<String> groups = groups(shared);
        return new PairedCases(
                shared.stream().map(pair -> pair.one().caseId()).toList(),
                evidence(shared, Pair::one, groups),
                evidence(shared, Pair::other, groups),
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

    private static @Nullable List<String> groups(List<Pair> shared) {
        List<String> groups = new ArrayList<>();
        for (Pair pair : shared) {
            String group = pair.group();
            if (group == null) {
                return null;
            }
            groups.add(group);
        }
        return groups.isEmpty() ? null : groups;
    }

    private static BranchEvidence evidence(
            List<Pair> shared, Function<Pair, ComparedCase> side, @Nullable List<String> groups) {
        // All cases of a side are of one campaign, which has one policy.
        ErrorTreatment errors = shared.isEmpty()
                ? ErrorTreatment.PROVIDER
                : side.apply(shared.getFirst()).errors();
        return new BranchEvidence(
                shared.stream().map(pair -> side.apply(pair).evidence()).toList(), errors, groups);
    }

    /** The pass rates of the shared cases. */
    public PairedRates rates() {
        return new PairedRates(first.counts(), second.counts(), first.bounds(), second.bounds(), first.groups());
    }

    /** Whether the two have as many trials planned of each shared case. */
    boolean haveEqualTrials() {
        return IntStream.range(0, shared.size())
                .allMatch(i ->
                        first.cases().get(i).planned() == second.cases().get(i).planned());
    }

    /** Whether both plan one trial of each shared case. */
    boolean haveOneTrial() {
        return Stream.of(first, second).allMatch(side -> side.cases().stream().allMatch(one -> one.planned() == 1));
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

    private static BranchEvidence at(BranchEvidence side, List<Integer> places) {
        List<String> groups = side.groups();
        return new BranchEvidence(at(side.cases(), places), side.errors(), groups == null ? null : at(groups, places));
    }

    private static <T> List<T> at(List<T> all, List<Integer> places) {
        return places.stream().<T>map(all::get).toList();
    }
}
