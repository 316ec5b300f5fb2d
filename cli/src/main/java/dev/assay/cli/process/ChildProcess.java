package dev.assay.cli.process;

import java.util.List;
import java.util.Set;

/** Processes that Assay starts for itself. They see only the variables that programs need, and so no keys. */
public final class ChildProcess {

    private static final Set<String> PASSED_ON =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "LD_LIBRARY_PATH");

    private ChildProcess() {}

    /** {@code command}, not started yet; what it writes to stderr goes where its stdout does. */
    public static ProcessBuilder of(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().retainAll(PASSED_ON);
        return builder;
    }
}
