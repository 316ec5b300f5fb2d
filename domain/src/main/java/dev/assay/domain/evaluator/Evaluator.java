package dev.assay.domain.evaluator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.replay.RequestKey;

/**
 * What decides on answers: a check, a grader or a judge. Two that may decide otherwise about the same answer have other hashes.
 *
 * @param hash SHA-256 of the definition, 64 hexadecimal digits
 * @param kind its word in the definition
 * @param definition canonical JSON
 */
public record Evaluator(String hash, String kind, String definition) {

    /** A check that needs no model. */
    public static final String CHECK = "check";

    /** A model that decides a check. */
    public static final String GRADER = "grader";

    /** A model that chooses among the branches of a trial. */
    public static final String JUDGE = "judge";

    /** What another tool decided by. */
    public static final String IMPORTED = "imported";

    private static final String KIND = "kind";

    /** The beginning of a definition. */
    static ObjectNode begin(ObjectNode definition, String kind, String code) {
        return definition.put(KIND, kind).put("code", code);
    }

    /** The evaluator with {@code definition}, which has a kind. */
    public static Evaluator of(ObjectNode definition) {
        String canonical = RequestKey.canonical(definition);
        return new Evaluator(RequestKey.sha256(canonical), definition.get(KIND).textValue(), canonical);
    }
}
