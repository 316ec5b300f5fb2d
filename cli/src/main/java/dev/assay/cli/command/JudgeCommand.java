package dev.assay.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.assay.cli.file.DocumentFile;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgePreviewReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands about the judge. */
@Command(name = "judge", description = "Preview what a judge reads.", subcommands = JudgeCommand.PreviewCommand.class)
public final class JudgeCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "Name a command: assay judge preview FILE.");
        }
    }

    /** Shows exactly what a judge would read. Calls no server and no model. */
    @Command(name = "preview", description = "Show exactly what the judge would read.")
    public static final class PreviewCommand implements Callable<Integer> {

        @Mixin
        private CommonOptions common = new CommonOptions();

        @Option(names = "--json", description = "Print the preview as JSON.")
        private boolean json;

        @Parameters(
                paramLabel = "FILE",
                description = "YAML or JSON with query, responses, and optionally priorContext or context,"
                        + " maxContextTokens, systemPrompt, reply, and fence.")
        private Path file = Path.of("");

        @Override
        public Integer call() {
            JudgePreview preview = JudgePreview.of(JudgePreviewReader.read(DocumentFile.read(file)));
            PrintWriter out = common.out();
            if (json) {
                out.println(pretty(preview));
            } else {
                show(preview, out);
            }
            out.flush();
            return ExitCode.OK;
        }

        private static void show(JudgePreview preview, PrintWriter out) {
            out.println("--- System prompt");
            out.println(preview.systemPrompt());
            out.println("--- Prompt");
            out.println(preview.prompt());
            out.println("--- Compaction");
            out.println(Json.write(preview.compaction()));
            if (preview.warning() != null) {
                out.println("--- Warning");
                out.println(preview.warning());
            }
        }

        private static String pretty(JudgePreview preview) {
            try {
                return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(preview);
            } catch (JsonProcessingException e) {
                throw new AssayException(ErrorCode.INTERNAL, "The preview cannot be written as JSON", e);
            }
        }
    }
}
