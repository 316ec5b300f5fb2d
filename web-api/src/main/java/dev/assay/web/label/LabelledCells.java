package dev.assay.web.label;

import dev.assay.domain.label.Label;
import dev.assay.store.label.CalibrationQueries.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The labels of the cells of a campaign about one check, or about trials as a whole. */
record LabelledCells(Map<Place, List<Label>> byPlace) {

    LabelledCells {
        byPlace = Map.copyOf(byPlace);
    }

    /** Those about a check; null: about trials as a whole. */
    static LabelledCells of(Map<Place, List<Label>> labels, @Nullable String check) {
        return kept(labels, label -> Objects.equals(label.check(), check));
    }

    /** Those that came with a sample. */
    LabelledCells of(String sample) {
        return kept(byPlace, label -> sample.equals(label.sample()));
    }

    private static LabelledCells kept(Map<Place, List<Label>> labels, Predicate<Label> wanted) {
        Map<Place, List<Label>> kept = new HashMap<>();
        labels.forEach((place, all) -> {
            List<Label> some = all.stream().filter(wanted).toList();
            if (!some.isEmpty()) {
                kept.put(place, some);
            }
        });
        return new LabelledCells(kept);
    }

    List<Label> at(Place place) {
        return byPlace.getOrDefault(place, List.of());
    }

    /** The samples with which labels came. */
    Set<String> samples() {
        return byPlace.values().stream()
                .flatMap(List::stream)
                .map(Label::sample)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }
}
