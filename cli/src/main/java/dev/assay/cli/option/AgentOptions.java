package dev.assay.cli.option;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.file.FastSkillFolder;
import dev.assay.cli.file.ForeignFile;
import dev.assay.cli.report.run.RunOrigin;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.fastskill.AgentChoice;
import dev.assay.domain.imports.ImportReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that say what answers for a folder of FastSkill, and where. */
public final class AgentOptions {

    @Option(
            names = "--agent",
            paramLabel = "KEY",
            description = "The agent of a FastSkill folder: claude, codex, gemini, or a program with its arguments. A"
                    + " branch each; may be repeated.")
    private List<String> agents = new ArrayList<>();

    @Option(names = "--model", paramLabel = "M", description = "The model that each --agent uses.")
    private @Nullable String model;

    @Option(
            names = "--workspace",
            paramLabel = "DIR",
            description =
                    "Each trial works in a copy of it. Default: the directory of the TOML file, or the parent of one"
                            + " with only prompts.csv.")
    private @Nullable Path workspace;

    @Mixin
    private ImportOptions imports = new ImportOptions();

    private @Nullable FastSkillFolder found;

    /** The agents that were named. */
    public List<AgentChoice> choices() {
        return agents.stream()
                .map(key -> AgentChoice.of(key, program(key), model))
                .toList();
    }

    /**
     * The campaign at {@code path}, for which an agent must be known.
     *
     * @param data the data directory, for its {@code providers.yaml}; it may not exist
     * @throws AssayException INVALID_INPUT or MALFORMED_INPUT when it cannot be read, or the agent is unclear
     */
    public CampaignFile load(Path path, Path data) {
        CampaignFile campaign = loadWritten(path, data);
        imports.ownCode().putEnv(campaign.document());
        return campaign;
    }

    /** The options of own code. */
    public OwnCodeOption ownCode() {
        return imports.ownCode();
    }

    private CampaignFile loadWritten(Path path, Path data) {
        ForeignFile foreign = foreign(path, data);
        if (foreign != null) {
            if (!foreign.document().has("branches")) {
                throw new AssayException(
                        ErrorCode.INVALID_INPUT, "Say who answers for " + path + ": --branch PROVIDER/MODEL");
            }
            return CampaignFile.imported(foreign, path);
        }
        FastSkillFolder folder = folder(path);
        if (folder == null) {
            if (!agents.isEmpty() && Files.exists(path)) {
                // A directory without any campaign is reported first.
                CampaignFile.load(path);
                throw new AssayException(
                        ErrorCode.INVALID_INPUT,
                        "--agent is for folders of FastSkill; write the branches into " + path + " instead");
            }
            return CampaignFile.load(path);
        }
        if (agents.isEmpty()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "Say who answers for " + path + ": --agent claude, codex, gemini, or a program");
        }
        found = folder;
        return folder.withAgents(choices());
    }

    /** The request of the run, once it is loaded. */
    public RunOrigin origin() {
        if (found == null) {
            return RunOrigin.NONE;
        }
        Path checks = found.checks();
        return new RunOrigin(
                agents.size() == 1 ? agents.getFirst() : null,
                model,
                checks == null ? null : checks.toString(),
                found.workspace().toString());
    }

    /** The campaign at {@code path}; a stand-in answers for a folder of FastSkill where none is named. */
    public CampaignFile loadForCheck(Path path, Path data) {
        ForeignFile foreign = foreign(path, data);
        FastSkillFolder folder = agents.isEmpty() && foreign == null ? folder(path) : null;
        boolean lacksBranches = foreign != null && !foreign.document().has("branches");
        if (folder == null && !lacksBranches) {
            return load(path, data);
        }
        CampaignFile campaign =
                folder == null ? CampaignFile.imported(requireNonNull(foreign), path) : folder.withAgents(List.of());
        ObjectNode anybody = campaign.document().putArray("branches").addObject();
        anybody.put("id", "agent")
                .put("kind", "scripted")
                .putObject("script")
                .putArray("answers")
                .add("");
        return campaign;
    }

    /** What an import says beside errors, a line each. */
    public List<String> lines(ImportReport report) {
        return imports.lines(report);
    }

    /** The file of another tool at {@code path}; null: there is none, or a program answers, which only FastSkill has. */
    public @Nullable ForeignFile foreign(Path path, Path data) {
        ForeignFile foreign = agents.isEmpty() ? imports.find(path, data) : null;
        if (foreign != null) {
            imports.ownCode().putEnv(foreign.document());
        }
        return foreign;
    }

    /** The folder of FastSkill at {@code path}; null: a campaign file stands there, which counts unless an agent is named. */
    public @Nullable FastSkillFolder folder(Path path) {
        return agents.isEmpty() && CampaignFile.isIn(path) ? null : FastSkillFolder.find(path, workspace);
    }

    /** The program's command line. A path is resolved here, since each trial works elsewhere; a mere name on the worker's PATH. */
    private static List<String> program(String key) {
        if (key.isBlank()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "--agent must name a template or a program, but is empty");
        }
        Path whole = Path.of(key);
        List<String> line = new ArrayList<>(
                Files.isRegularFile(whole) ? List.of(key) : List.of(key.strip().split("\\s+", -1)));
        if (line.getFirst().contains("/")) {
            line.set(0, Path.of(line.getFirst()).toAbsolutePath().normalize().toString());
        }
        return line;
    }
}
