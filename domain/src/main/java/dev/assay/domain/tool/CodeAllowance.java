package dev.assay.domain.tool;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The own code of campaigns that may run.
 *
 * @param languages words of the languages
 * @param env names of the worker's environment variables that it may see
 * @param programs first words of commands
 */
public record CodeAllowance(Set<String> languages, Set<String> env, Set<String> programs) {

    /** No code. */
    public static final CodeAllowance NONE = new CodeAllowance(Set.of(), Set.of(), Set.of());

    public CodeAllowance {
        languages = Set.copyOf(languages);
        env = Set.copyOf(env);
        programs = Set.copyOf(programs);
    }

    CodeAllowance or(CodeAllowance other) {
        return new CodeAllowance(
                join(languages, other.languages), join(env, other.env), join(programs, other.programs));
    }

    private static Set<String> join(Set<String> some, Set<String> more) {
        return Stream.concat(some.stream(), more.stream()).collect(Collectors.toUnmodifiableSet());
    }
}
