package dev.assay.domain.document;

import java.util.List;

/**
 * The fields that one kind of object may have.
 *
 * @param kind names the kind of object, for people and as the name of its definition in the JSON Schema
 * @param names the fields, in the order in which they are documented
 */
public record Fields(String kind, List<String> names) {

    public Fields {
        names = List.copyOf(names);
    }

    public static Fields of(String kind, String... names) {
        return new Fields(kind, List.of(names));
    }
}
