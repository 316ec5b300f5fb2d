package dev.assay.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.file.FastSkillFolder;
import dev.assay.cli.file.ForeignFile;
import dev.assay.cli.option.AgentOptions;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.results.ResultGroups;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.document.YamlText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.fastskill.EvalConfig;
import dev.assay.domain.imports.ImportReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the file of another tool as a campaign file. Stores and starts nothing. */
@Command(
        name = "import",
        description =
                "Write a FastSkill folder, a configuration of promptfoo or samples of Inspect as a campaign file, or"
                        + " the graders of a saved eval of OpenAI as a scoring file.")
public final class ImportCommand implements Callable<Integer> {

    private static final String NAME = "campaign.yaml";
    private static final String SCORING = "scoring.yaml";

    private static final String LACKING_MODELS = """
        # Say who answers before this can run, for example:
        # branches:
        #   - {id: small, provider: openai, model: gpt-5-mini}
        """;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private AgentOptions agents = new AgentOptions();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Directory for campaign.yaml. Default: the current one.")
    private Path output = Path.of("");

    @Parameters(
            paramLabel = "FILE",
            description =
                    "A FastSkill folder or its TOML file, a configuration of promptfoo or its directory, or samples as"
                            + " Inspect has them (CSV, JSON, JSON Lines).")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        Path target = output.toAbsolutePath().normalize();
        if (ResultGroups.areResults(file)) {
            throw new AssayException(ErrorCode.INVALID_INPUT, file + ": These are results: use import-results");
        }
        ImportReport report = new ImportReport();
        ObjectNode scoring = ResultGroups.graders(file, report);
        if (scoring != null) {
            return writeScoring(scoring, report, target);
        }
        ForeignFile foreign = agents.foreign(file, common.path());
        if (foreign != null) {
            return write(foreign, target);
        }
        FastSkillFolder found = agents.folder(file);
        if (found == null) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    EvalConfig.MISSING + ": " + file
                            + " is no configuration of promptfoo and no file of samples, and holds no TOML file with"
                            + " [tool.fastskill.eval] and no prompts.csv");
        }
        String workspace = relative(target, found.workspace());
        ObjectNode document = found.campaign().document(agents.choices(), workspace);
        write(target, YamlText.write(document) + (document.has("branches") ? "" : lackingBranches(workspace)));
        common.out().println("Wrote " + output.resolve(NAME));
        common.out().flush();
        return ExitCode.OK;
    }

    private int writeScoring(ObjectNode scoring, ImportReport report, Path target) {
        agents.lines(report).forEach(common.err()::println);
        common.err().flush();
        write(target, SCORING, YamlText.write(scoring));
        common.out().println("Wrote " + output.resolve(SCORING));
        common.out().flush();
        return ExitCode.OK;
    }

    private int write(ForeignFile foreign, Path target) {
        agents.lines(foreign.report()).forEach(common.err()::println);
        common.err().flush();
        Path home = file.toAbsolutePath().normalize();
        String workspace = relative(target, Files.isDirectory(home) ? home : home.resolveSibling("."));
        foreign.document().path("branches").forEach(branch -> {
            if (branch instanceof ObjectNode program && program.has("workspace")) {
                program.put("workspace", workspace);
            }
        });
        if (foreign.document().has("code")) {
            foreign.document().put("code", workspace);
        }
        boolean isWhole = foreign.document().has("branches");
        write(target, YamlText.write(foreign.document()) + (isWhole ? "" : LACKING_MODELS));
        common.out().println("Wrote " + output.resolve(NAME));
        common.out().flush();
        return ExitCode.OK;
    }

    private static String lackingBranches(String workspace) {
        return """
            # Say who answers before this can run, for example:
            # branches:
            #   - {id: codex, kind: command, command: [codex, exec, --json, "-"], output: codex, workspace: %s}
            """.formatted(workspace);
    }

    /** The path as the campaign file names it; both may be moved together. */
    private static String relative(Path from, Path workspace) {
        String path = from.relativize(workspace).toString();
        return path.isEmpty() ? "." : path;
    }

    private void write(Path directory, String text) {
        write(directory, NAME, text);
    }

    private void write(Path directory, String name, String text) {
        Path file = directory.resolve(name);
        try {
            Files.createDirectories(directory);
            Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, output.resolve(name) + " is there already; name another --output", e);
        } catch (IOException e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, output.resolve(name) + " cannot be written: " + e, e);
        }
    }
}
