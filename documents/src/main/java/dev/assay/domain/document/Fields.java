package dev.assay.domain.document;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fields that one kind of object may have.
 *
 * @param kind names the kind of object, for people and as the name of its definition in the JSON Schema
 * @param names the fields, in the order in which they are documented
 * @param inner fields of objects in it that people write one level too high, by the name of the object
 */
public record Fields(String kind, List<String> names, Map<String, List<String>> inner) {

    public Fields {
        names = List.copyOf(names);
        inner = Map.copyOf(inner);
    }

    /** Fields of which none is looked for elsewhere. */
    public Fields(String kind, List<String> names) {
        this(kind, names, Map.of());
    }

    public static Fields of(String kind, String... names) {
        return new Fields(kind, List.of(names));
    }

    /** Where an unknown field belongs that is one of an object in it, as in {@code parameters.temperature}. */
    Optional<String> place(String unknown) {
        return inner.entrySet().stream()
                .flatMap(object -> object.getValue().stream()
                        .filter(name -> Suggestion.isSame(name, unknown))
                        .map(name -> object.getKey() + "." + name))
                .findFirst();
    }
}
