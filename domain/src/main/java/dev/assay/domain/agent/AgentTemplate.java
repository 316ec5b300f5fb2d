package dev.assay.domain.agent;

import dev.assay.domain.trace.OutputFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Known agents, and their command lines without a terminal, which print JSON lines. Each may change the files of its working
 * directory, which is a copy of the trial's own. None gets an option to run outside of its own sandbox.
 */
public enum AgentTemplate {
    /** Reads the prompt from stdin. */
    CLAUDE(
            List.of("claude", "-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"),
            List.of("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"),
            OutputFormat.CLAUDE),
    /** Reads the prompt from stdin where its place is a dash. */
    CODEX(
            List.of("codex", "exec", "--json", "--skip-git-repo-check", "--sandbox", "workspace-write", "-"),
            List.of("OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_BASE_URL"),
            OutputFormat.CODEX),
    /** Takes no dash: without {@code -p} it reads the prompt from stdin. */
    GEMINI(
            List.of("gemini", "--output-format", "stream-json", "--approval-mode", "auto_edit"),
            List.of("GEMINI_API_KEY", "GOOGLE_API_KEY", "GEMINI_CLI_TRUST_WORKSPACE"),
            OutputFormat.GEMINI);

    private static final Map<String, AgentTemplate> BY_KEY = Arrays.stream(values())
            .collect(Collectors.toMap(
                    template -> template.output.word(), template -> template, (a, b) -> a, LinkedHashMap::new));

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> line;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> env;

    private final OutputFormat output;

    AgentTemplate(List<String> line, List<String> env, OutputFormat output) {
        this.line = line;
        this.env = env;
        this.output = output;
    }

    /** The templates by the word that users write, such as {@code codex}. */
    public static Map<String, AgentTemplate> byKey() {
        return Map.copyOf(BY_KEY);
    }

    /**
     * The command line.
     *
     * @param model that the agent uses; null: its own choice
     */
    public List<String> command(@Nullable String model) {
        if (model == null) {
            return line;
        }
        // The options of codex belong before the dash, and behind its word `exec`.
        List<String> command = new ArrayList<>(line);
        command.addAll(this == CODEX ? 2 : 1, List.of("--model", model));
        return List.copyOf(command);
    }

    /** The environment variables that it may see. */
    public List<String> env() {
        return env;
    }

    /** The format of its output. */
    public OutputFormat output() {
        return output;
    }
}
