package dev.assay.activities.code;

import dev.assay.activities.command.AgentPermission;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The interpreters of this machine. */
public final class Interpreters {

    private Interpreters() {}

    /** Skips the test where one is missing, and says which. */
    public static void require() {
        Stream.of("python3", "node")
                .forEach(name -> Assumptions.assumeTrue(
                        AgentPermission.isFound(name), () -> name + " is not on the PATH of this machine"));
    }
}
