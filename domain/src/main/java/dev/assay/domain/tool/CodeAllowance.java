package dev.assay.domain.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The own code of campaigns that may run.
 *
 * @param languages words of the languages
 * @param env names of the worker's environment variables that it may see
 * @param programs first words of commands
 * @param refusals why workers run no code in a language that is allowed, as sentences, by its word
 */
public record CodeAllowance(
        Set<String> languages,
        Set<String> env,
        Set<String> programs,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> refusals) {

    /** No code. */
    public static final CodeAllowance NONE = new CodeAllowance(Set.of(), Set.of(), Set.of());

    public CodeAllowance {
        languages = Set.copyOf(languages);
        env = Set.copyOf(env);
        programs = Set.copyOf(programs);
        refusals = refusals == null ? Map.of() : Map.copyOf(refusals);
    }

    /** Code that nothing keeps from running. */
    public CodeAllowance(Set<String> languages, Set<String> env, Set<String> programs) {
        this(languages, env, programs, Map.of());
    }

    CodeAllowance or(CodeAllowance other) {
        Map<String, String> all = new TreeMap<>(other.refusals);
        all.putAll(refusals);
        return new CodeAllowance(
                join(languages, other.languages), join(env, other.env), join(programs, other.programs), all);
    }

    private static Set<String> join(Set<String> some, Set<String> more) {
        return Stream.concat(some.stream(), more.stream()).collect(Collectors.toUnmodifiableSet());
    }
}
