package dev.assay.work.child;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Child processes, not started yet. Each sees the variables that it is given here, and so no keys. */
public final class ChildProcess {

    /** What programs need. The names of the locale's categories begin with {@link #LOCALE}. */
    private static final Set<String> PASSED_ON =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "TZ", "LD_LIBRARY_PATH");

    private static final String LOCALE = "LC_";

    private ChildProcess() {}

    /**
     * A program that Assay trusts, such as PostgreSQL.
     *
     * @param purpose names of further variables of this process that it needs
     */
    public static ProcessBuilder of(List<String> command, String... purpose) {
        return filtered(
                command,
                name -> PASSED_ON.contains(name)
                        || name.startsWith(LOCALE)
                        || Arrays.asList(purpose).contains(name));
    }

    /** A process that sees those variables of this one whose {@code names} it is given. */
    public static ProcessBuilder seeingOnly(List<String> command, String... names) {
        return filtered(command, List.of(names)::contains);
    }

    /** A process that sees {@code environment}, and nothing of this process's. */
    public static ProcessBuilder with(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    private static ProcessBuilder filtered(List<String> command, Predicate<String> isSeen) {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        environment.keySet().removeIf(isSeen.negate());
        return with(command, environment);
    }
}
