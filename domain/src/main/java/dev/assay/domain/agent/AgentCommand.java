package dev.assay.domain.agent;

import dev.assay.domain.trace.OutputFormat;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that answers for a branch.
 *
 * @param line the program and its arguments, at least the program; no shell reads them
 * @param workspaceId content hash of the files that each attempt works on a copy of; null: it begins in an empty directory
 * @param env names of the worker's environment variables that it sees
 * @param homeFiles files of the worker's home that are copied into the attempt's own, each relative to it
 * @param maxCostUsd the most that one attempt costs in US dollars, which the budget reserves; null: unknown
 * @param models that it may ask through the model proxy; null: it asks them itself, if any
 * @param required whether a campaign is refused where no worker may start the program; else its trials are errors
 */
public record AgentCommand(
        List<String> line,
        @Nullable String workspaceId,
        List<String> env,
        List<String> homeFiles,
        OutputFormat output,
        @Nullable BigDecimal maxCostUsd,
        @Nullable ModelAccess models,
        boolean required) {

    /** The place of the prompt in an argument; a command without it reads the prompt from stdin. */
    public static final String PROMPT = "{{prompt}}";

    /** Longest argument, in characters: systems take little more. */
    public static final int MAX_ARGUMENT = 100_000;

    /** Longest name of an environment variable. */
    public static final int MAX_NAME = 128;

    public AgentCommand {
        line = List.copyOf(line);
        env = List.copyOf(env);
        homeFiles = List.copyOf(homeFiles);
        if (line.isEmpty()) {
            throw new IllegalArgumentException("A command must name its program");
        }
    }

    /** The program as it is written. */
    public String program() {
        return line.getFirst();
    }

    /** The program without its directory, for people. */
    public String name() {
        return program().substring(program().lastIndexOf('/') + 1);
    }

    /** Whether the prompt goes to stdin. */
    public boolean readsPrompt() {
        return line.stream().noneMatch(argument -> argument.contains(PROMPT));
    }

    /** The program and its arguments, with {@code prompt} in its places. */
    public List<String> line(String prompt) {
        return line.stream().map(argument -> argument.replace(PROMPT, prompt)).toList();
    }
}
