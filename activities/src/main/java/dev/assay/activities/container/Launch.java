package dev.assay.activities.container;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The process that an attempt starts for its program: the program itself, or the client of its container.
 *
 * @param line what is started, with its arguments
 * @param container that the first word of the line is the client of; null: the program is started itself
 */
public record Launch(
        List<String> line,
        Map<String, String> environment,
        @Nullable String container) {

    public Launch {
        line = List.copyOf(line);
        environment = Map.copyOf(environment);
    }

    /**
     * The program of an attempt, as it would run on this machine.
     *
     * @param work where it works: the workspace, or below
     */
    public record Program(List<String> line, Map<String, String> environment, Path workspace, Path work, Path home) {

        public Program {
            line = List.copyOf(line);
            environment = Map.copyOf(environment);
        }
    }
}
