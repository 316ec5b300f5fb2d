package dev.assay.activities.code;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.command.AgentPermission;
import dev.assay.activities.command.LivePrograms;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.CodeUse;
import dev.assay.domain.grading.CodeCall;
import dev.assay.domain.grading.UsedScript;
import dev.assay.work.archive.RefusedArchiveException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles and loads the code of a campaign before it is sent, on the machine of its user. Used by one thread. */
public final class CodeCompiler implements AutoCloseable {

    /** The time for one code, loading its module included. */
    private static final Duration TO_COMPILE = Duration.ofSeconds(30);

    private final LivePrograms programs;
    private final @Nullable Path directory;
    private final List<String> env;
    private final Map<CodeLanguage, CodeProcess> processes = new EnumMap<>(CodeLanguage.class);

    /**
     * @param temporary where processes have their files
     * @param directory of the code; null: there is none
     * @param env names of variables that code may see
     */
    public CodeCompiler(Path temporary, @Nullable Path directory, List<String> env) {
        this.programs = LivePrograms.ofUser(temporary);
        this.directory = directory;
        this.env = List.copyOf(env);
    }

    /** What is wrong with code, as a sentence; null: nothing, or its interpreter is not here. */
    public @Nullable String problem(UsedScript used) throws InterruptedException {
        CodeLanguage language = used.script().language();
        if (used.use() == CodeUse.PRINTED_PROMPT || !AgentPermission.isFound(language.interpreter())) {
            return null;
        }
        try {
            CodeProcess process = processes.get(language);
            if (process == null || !process.isUsable()) {
                if (process != null) {
                    process.close();
                }
                process = start(language);
                processes.put(language, process);
            }
            ObjectNode request = CodeCall.compilation(used);
            return switch (process.ask(request, TO_COMPILE).reply()) {
                case CodeReply.Returned _ -> null;
                case CodeReply.Raised(String message) -> "The code cannot be loaded: " + message;
                case CodeReply.NotRun(String message) -> message;
            };
        } catch (IOException | RefusedArchiveException e) {
            return language.interpreter() + " could not be started: " + e.getMessage();
        }
    }

    private CodeProcess start(CodeLanguage language) throws IOException, RefusedArchiveException, InterruptedException {
        CodePlace place = CodePlace.of("", CodeWorkers.command(language), new CodeFiles(null, env), true);
        return new CodeProcess(
                place, directory == null ? programs.start(place.line()) : programs.startIn(directory, place.line()));
    }

    /** Ends its processes. */
    @Override
    public void close() {
        processes.values().forEach(CodeProcess::close);
        programs.close();
    }
}
