package dev.assay.domain.campaign;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of a campaign's own code.
 *
 * @param workspaceId of the stored code directory; null: there is none
 * @param env names of the worker's environment variables that code may see
 */
public record CodeFiles(@Nullable String workspaceId, List<String> env) {

    /** No files, and no variables. */
    public static final CodeFiles NONE = new CodeFiles(null, List.of());

    public CodeFiles {
        env = List.copyOf(env);
    }
}
