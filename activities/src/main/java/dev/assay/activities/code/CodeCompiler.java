package dev.assay.activities.code;

import com.fasterxml.jackson.databind.JsonNode;
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

/**
 * Runs code on the machine of its user, before a campaign is sent. It compiles what the campaign brings, and has programs give what
 * becomes part of it. Used by one thread.
 */
public final class CodeCompiler implements AutoCloseable {

    /** The time for one code, loading its module included. */
    private static final Duration TO_COMPILE = Duration.ofSeconds(30);

    /** The time for one program that gives tests, vars or a value. */
    private static final Duration TO_GIVE = Duration.ofSeconds(60);

    /** The bytes of what it gives, at most. */
    private static final int MOST_GIVEN = 64 << 20;

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
        return switch (ask(language, CodeCall.compilation(used), TO_COMPILE)) {
            case CodeReply.Returned _ -> null;
            case CodeReply.Raised(String message) -> "The code cannot be loaded: " + message;
            case CodeReply.NotRun(String message) -> message;
        };
    }

    /**
     * Has a program give what becomes part of a campaign.
     *
     * @param use {@code tests}, {@code vars} or {@code value}
     * @param code where it stands: {@code file} with {@code function} or without, or {@code code}
     */
    public CodeReply give(String use, CodeLanguage language, ObjectNode code, List<JsonNode> arguments)
            throws InterruptedException {
        if (!AgentPermission.isFound(language.interpreter())) {
            return new CodeReply.NotRun(language.interpreter() + " is not on the PATH of this machine.");
        }
        ObjectNode request = code.deepCopy().put("call", "give").put("use", use).put("most", MOST_GIVEN);
        request.putArray("arguments").addAll(arguments);
        return ask(language, request, TO_GIVE);
    }

    /** Has a request answered, within {@code atMost}. */
    private CodeReply ask(CodeLanguage language, ObjectNode request, Duration atMost) throws InterruptedException {
        try {
            CodeProcess process = processes.get(language);
            if (process == null || !process.isUsable()) {
                if (process != null) {
                    process.close();
                }
                process = start(language);
                processes.put(language, process);
            }
            return process.ask(request, atMost).reply();
        } catch (IOException | RefusedArchiveException e) {
            return new CodeReply.NotRun(language.interpreter() + " could not be started: " + e.getMessage());
        }
    }

    private CodeProcess start(CodeLanguage language) throws IOException, RefusedArchiveException, InterruptedException {
        CodePlace place = CodePlace.of("", CodeWorkers.command(language), new CodeFiles(null, env), true);
        CodeProcess process = new CodeProcess(
                place, directory == null ? programs.start(place.line()) : programs.startIn(directory, place.line()));
        boolean isThere = false;
        try {
            process.greet(language);
            isThere = true;
            return process;
        } finally {
            if (!isThere) {
                process.close();
            }
        }
    }

    /** Ends its processes. */
    @Override
    public void close() {
        processes.values().forEach(CodeProcess::close);
        programs.close();
    }
}
