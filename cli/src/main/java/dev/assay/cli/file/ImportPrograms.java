package dev.assay.cli.file;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.code.CodeCompiler;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.imports.SourcePrograms;
import dev.assay.work.file.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The programs beside an imported file, run on the machine of its user. A process is started when the first one is called. */
final class ImportPrograms implements SourcePrograms, AutoCloseable {

    private final Path directory;
    private final List<String> env;
    private @Nullable Path temporary;
    private @Nullable CodeCompiler running;

    /**
     * @param directory where they are
     * @param env names of variables that they may see
     */
    ImportPrograms(Path directory, List<String> env) {
        this.directory = directory;
        this.env = List.copyOf(env);
    }

    @Override
    public Ran run(Call call) {
        ObjectNode code = JsonNodeFactory.instance.objectNode();
        put("file", call.file(), code);
        put("function", call.function(), code);
        put("code", call.code(), code);
        try {
            CodeReply reply =
                    running().give(call.use().name().toLowerCase(Locale.ROOT), call.language(), code, call.arguments());
            return switch (reply) {
                case CodeReply.Returned(var value, var type) when type == null -> new Ran.Returned(value);
                case CodeReply.Returned(var _, var type) -> new Ran.Failed(name(call) + " gives " + type + ".");
                case CodeReply.Raised(String message) -> new Ran.Failed(name(call) + " failed: " + message);
                case CodeReply.NotRun(String message) -> new Ran.Failed(message);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssayException(ErrorCode.CANCELLED, "Interrupted while " + name(call) + " ran", e);
        }
    }

    private static void put(String name, @Nullable String value, ObjectNode code) {
        if (value != null) {
            code.put(name, value);
        }
    }

    private static String name(Call call) {
        return call.file() == null ? "The code" : call.file();
    }

    private CodeCompiler running() {
        try {
            if (running == null) {
                temporary = Files.createTempDirectory("assay-import");
                running = new CodeCompiler(temporary, directory, env);
            }
            return running;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends their processes. */
    @Override
    public void close() {
        if (running != null) {
            running.close();
        }
        try {
            if (temporary != null) {
                FileTree.delete(temporary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
