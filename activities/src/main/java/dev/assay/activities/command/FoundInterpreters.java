package dev.assay.activities.command;

import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The interpreters of this machine. Each is asked for its version once, when code in its language may run. */
public final class FoundInterpreters {

    private static final long PATIENCE_S = 20;
    private static final int MOST_SAID = 1_000;

    private static final Map<CodeLanguage, List<String>> VERSION = Map.of(
            CodeLanguage.PYTHON,
            List.of("-c", "import sys; print(sys.version.split()[0])"),
            CodeLanguage.JAVASCRIPT,
            List.of("-p", "process.versions.node"));

    private static final FoundInterpreters HERE = new FoundInterpreters(System.getenv(), WorkerIdentity.hostName());

    private final Map<String, String> environment;
    private final String host;
    private final Map<CodeLanguage, Optional<String>> refusals = new ConcurrentHashMap<>();

    /** @param host where they are, for people */
    FoundInterpreters(Map<String, String> environment, String host) {
        this.environment = Map.copyOf(environment);
        this.host = host;
    }

    /** Those that this process finds. */
    public static FoundInterpreters here() {
        return HERE;
    }

    /** Why no code in {@code language} runs here, as a sentence; null: it does. */
    public @Nullable String refusal(CodeLanguage language) {
        return refusals.computeIfAbsent(language, this::looked).orElse(null);
    }

    private Optional<String> looked(CodeLanguage language) {
        Path program = AgentPermission.found(language.interpreter(), environment);
        if (program == null) {
            return Optional.of(language.missing(host));
        }
        try {
            return Optional.ofNullable(language.refusal(version(language, program), host));
        } catch (IOException e) {
            return Optional.of("%s on the PATH of %s cannot be started: %s"
                    .formatted(language.interpreter(), host, e.getMessage()));
        }
    }

    private String version(CodeLanguage language, Path program) throws IOException {
        List<String> line = new ArrayList<>(List.of(program.toString()));
        line.addAll(VERSION.getOrDefault(language, List.of()));
        Process process = ChildProcess.with(line, environment)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                throw new IOException("it does not end.");
            }
            return new String(process.getInputStream().readNBytes(MOST_SAID), StandardCharsets.UTF_8).strip();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the wait for it was interrupted.", e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
