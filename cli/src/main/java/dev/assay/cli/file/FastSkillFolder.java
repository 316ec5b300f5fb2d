package dev.assay.cli.file;

import dev.assay.domain.check.Check;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.fastskill.AgentChoice;
import dev.assay.domain.fastskill.ChecksToml;
import dev.assay.domain.fastskill.EvalConfig;
import dev.assay.domain.fastskill.FastSkillCampaign;
import dev.assay.domain.fastskill.PromptRow;
import dev.assay.domain.fastskill.PromptsCsv;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A folder of FastSkill: a TOML file with the table {@code [tool.fastskill.eval]}, a directory that holds one, or a directory with
 * {@code prompts.csv} alone.
 *
 * @param workspace the directory of which each trial gets a copy
 * @param checks the file of checks; null: there is none
 */
public record FastSkillFolder(
        FastSkillCampaign campaign,
        Path workspace,
        @Nullable Path checks) {

    private static final List<String> NAMES = List.of("skill-project.toml", "pyproject.toml");
    private static final String PROMPTS = "prompts.csv";
    private static final String CHECKS = "checks.toml";

    /** Settings, and the directory from which they name files. */
    private record Settings(EvalConfig config, Path base, Path workspace) {

        @Nullable
        Path checks() {
            String named = config.checks();
            return named == null ? null : base.resolve(named).normalize();
        }
    }

    /**
     * Reads the folder at {@code path}; null: there is none.
     *
     * @param workspace instead of the directory of the TOML file, or of the parent of a directory that has none; null: no other
     * @throws AssayException INVALID_INPUT with all errors of prompts and checks; INVALID_INPUT or MALFORMED_INPUT when the settings
     *     cannot be used
     */
    public static @Nullable FastSkillFolder find(Path path, @Nullable Path workspace) {
        Path place = path.toAbsolutePath().normalize();
        Settings settings = Files.isDirectory(place) ? inDirectory(place) : inFile(place);
        return settings == null
                ? null
                : new FastSkillFolder(
                        read(settings),
                        workspace == null ? settings.workspace : directory(workspace),
                        settings.checks());
    }

    /** The campaign with a branch for each agent, its trials in copies of the workspace. */
    public CampaignFile withAgents(List<AgentChoice> agents) {
        return new CampaignFile(campaign.document(agents, workspace.toString()), List.of());
    }

    private static @Nullable Settings inFile(Path file) {
        return file.toString().endsWith(".toml") ? ofToml(file, EvalConfig.read(text(file, EvalConfig.MISSING))) : null;
    }

    private static @Nullable Settings inDirectory(Path directory) {
        for (String name : NAMES) {
            Path file = directory.resolve(name);
            EvalConfig config = Files.exists(file) ? EvalConfig.readIfThere(text(file, EvalConfig.MISSING)) : null;
            if (config != null) {
                return ofToml(file, config);
            }
        }
        if (!Files.exists(directory.resolve(PROMPTS))) {
            return null;
        }
        String checks = Files.exists(directory.resolve(CHECKS)) ? CHECKS : null;
        Path parent = directory.getParent();
        return new Settings(EvalConfig.ofFiles(PROMPTS, checks), directory, parent == null ? directory : parent);
    }

    private static Settings ofToml(Path file, EvalConfig config) {
        Path directory = Objects.requireNonNull(file.getParent(), "A file has a directory");
        return new Settings(config, directory, directory);
    }

    private static FastSkillCampaign read(Settings settings) {
        List<FieldError> errors = new ArrayList<>();
        EvalConfig config = settings.config;
        List<PromptRow> rows = prompts(settings.base.resolve(config.prompts()).normalize(), config.prompts(), errors);
        Path file = settings.checks();
        List<Check> checks = file == null ? List.of() : checks(file, String.valueOf(config.checks()), errors);
        if (!errors.isEmpty()) {
            throw AssayException.invalid("The folder's files cannot be used", errors);
        }
        String name = IdRule.fit(String.valueOf(settings.workspace.getFileName()));
        return new FastSkillCampaign(name.isBlank() ? "fastskill" : name, config, rows, checks);
    }

    /** The cases of a file. */
    static List<PromptRow> prompts(Path file, String path, List<FieldError> errors) {
        Problems problems = new Problems();
        List<PromptRow> rows = List.of();
        try {
            rows = PromptsCsv.read(InputFile.text(file), path, problems);
        } catch (InputFile.Unreadable e) {
            errors.add(new FieldError(path, "EVAL_PROMPTS_NOT_FOUND: " + e.sentence()));
        }
        errors.addAll(problems.errors());
        return rows;
    }

    /** The checks of a file. */
    static List<Check> checks(Path file, String path, List<FieldError> errors) {
        try {
            return ChecksToml.read(InputFile.text(file));
        } catch (InputFile.Unreadable e) {
            errors.add(new FieldError(path, ChecksToml.CODE + ": " + e.sentence()));
        } catch (AssayException e) {
            if (e.errors().isEmpty()) {
                errors.add(new FieldError(path, e.failure().message()));
            }
            e.errors().forEach(error -> errors.add(new FieldError(path + ": " + error.path(), error.message())));
        }
        return List.of();
    }

    private static String text(Path file, String code) {
        try {
            return InputFile.text(file);
        } catch (InputFile.Unreadable e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, code + ": " + e.sentence(), e);
        }
    }

    private static Path directory(Path named) {
        Path directory = named.toAbsolutePath().normalize();
        if (!Files.isDirectory(directory)) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "--workspace " + named + " is no directory");
        }
        return directory;
    }
}
