package dev.assay.web.document;

import dev.assay.domain.definition.Definition;
import dev.assay.domain.definition.Definitions;
import dev.assay.work.compute.Computed;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The definitions of one document. What is not known yet counts as usable, and is noted. */
final class DocumentDefinitions implements Definitions.Judge {

    private final Map<Definition, Optional<String>> known = new LinkedHashMap<>();
    private final Set<Definition> unknown = new LinkedHashSet<>();

    @Override
    public @Nullable String problem(Definition definition) {
        Optional<String> problem = known.get(definition);
        if (problem == null) {
            unknown.add(definition);
            return null;
        }
        return problem.orElse(null);
    }

    /** Whether nothing that was read needs judging. */
    boolean areJudged() {
        return unknown.isEmpty();
    }

    /** The definitions that need judging, in the order of the document. */
    List<Definition> unknown() {
        return List.copyOf(unknown);
    }

    /**
     * Takes what became of {@code asked}. Behind one that was stopped no more is looked at: the document is refused for that one.
     *
     * @return whether nothing is wrong with them
     */
    boolean learn(List<Definition> asked, List<Computed<Optional<String>>> judged) {
        for (int i = 0; i < asked.size(); i++) {
            Definition definition = asked.get(i);
            known.put(definition, i < judged.size() ? problem(definition, judged.get(i)) : Optional.empty());
        }
        unknown.clear();
        return known.values().stream().noneMatch(Optional::isPresent);
    }

    private static Optional<String> problem(Definition definition, Computed<Optional<String>> judged) {
        return switch (judged) {
            case Computed.Done<Optional<String>>(Optional<String> problem) -> problem;
            case Computed.Stopped<Optional<String>>(var stop) ->
                Optional.of(definition.kind().stopped(stop.deed()));
        };
    }
}
