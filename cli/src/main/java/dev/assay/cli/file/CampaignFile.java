package dev.assay.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.WrittenCode;
import dev.assay.domain.check.Check;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.fastskill.EvalConfig;
import dev.assay.domain.fastskill.FastSkillCampaign;
import dev.assay.domain.fastskill.PromptRow;
import dev.assay.domain.imports.ImportReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A campaign file with the files that it names inlined: the tree that the API takes.
 *
 * @param document the tree; what could not be read is left as it is written
 * @param errors files that could not be read, with the path of each field that names one
 * @param report what an import found in the other tool's file
 */
public record CampaignFile(ObjectNode document, List<FieldError> errors, ImportReport report) {

    private static final List<String> NAMES = List.of("campaign.yaml", "campaign.yml", "campaign.json");

    public CampaignFile {
        errors = List.copyOf(errors);
    }

    /** A file of our own. */
    public CampaignFile(ObjectNode document, List<FieldError> errors) {
        this(document, errors, new ImportReport());
    }

    /** An imported file, with paths from the directory of {@code file}. */
    public static CampaignFile imported(ForeignFile foreign, Path file) {
        Path place = file.toAbsolutePath().normalize();
        Inlining inlining = new Inlining(Files.isDirectory(place) ? place : place.resolveSibling("."));
        inlining.inline(foreign.document());
        return new CampaignFile(foreign.document(), inlining.errors, foreign.report());
    }

    /**
     * Reads {@code path}: a YAML or JSON file, or a directory that holds {@code campaign.yaml}.
     *
     * @throws AssayException INVALID_INPUT when it is missing or unreadable; MALFORMED_INPUT when it is neither YAML nor JSON
     */
    public static CampaignFile load(Path path) {
        Path file = Files.isDirectory(path) ? inDirectory(path) : path;
        String text;
        try {
            text = InputFile.text(file);
        } catch (InputFile.Unreadable e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, e.sentence(), e);
        }
        JsonNode tree = parse(file, text);
        if (!(tree instanceof ObjectNode document)) {
            throw new AssayException(
                    ErrorCode.MALFORMED_INPUT, file + " must hold a campaign: fields like name, cases and branches");
        }
        Inlining inlining = new Inlining(file.toAbsolutePath().normalize().resolveSibling("."));
        inlining.inline(document);
        return new CampaignFile(document, inlining.errors);
    }

    /**
     * Fails on unreadable files, for a reader that cannot add its own errors.
     *
     * @throws AssayException INVALID_INPUT when any file could not be read
     */
    public void requireFiles() {
        if (!errors.isEmpty()) {
            throw AssayException.invalid("The campaign file names files that cannot be used", errors);
        }
    }

    /** All errors, where {@code found} are those of the document: a file that could not be read is named once. */
    public List<FieldError> with(List<FieldError> found) {
        Set<String> unread = errors.stream().map(FieldError::path).collect(Collectors.toSet());
        return Stream.concat(errors.stream(), found.stream().filter(error -> !unread.contains(error.path())))
                .toList();
    }

    /** The path of own code in the document, as the user wrote it. */
    public String placeOfCode(WrittenCode found) {
        String written = report.code().path(found.node());
        return written == null ? found.place() : written;
    }

    /** Whether {@code directory} is one that holds {@code campaign.yaml}. */
    public static boolean isIn(Path directory) {
        return NAMES.stream().map(directory::resolve).anyMatch(Files::exists);
    }

    private static Path inDirectory(Path directory) {
        return NAMES.stream()
                .map(directory::resolve)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new AssayException(
                        ErrorCode.INVALID_INPUT,
                        EvalConfig.MISSING + ": The directory " + directory
                                + " holds no campaign.yaml, no TOML file with [tool.fastskill.eval] and no"
                                + " prompts.csv"));
    }

    private static JsonNode parse(Path file, String text) {
        try {
            return CampaignDocument.parse(text);
        } catch (AssayException e) {
            throw new AssayException(e.code(), file + ": " + e.getMessage(), e);
        }
    }

    /** Reads what a document names, from the directory of its file. */
    private static final class Inlining {

        private final Path directory;
        private final List<FieldError> errors = new ArrayList<>();

        Inlining(Path directory) {
            this.directory = directory;
        }

        private void inline(ObjectNode document) {
            if (document.path("suite").isTextual()) {
                readSuite(document, document.path("suite").textValue());
            }
            if (document.path("checks").isTextual()) {
                readChecks(document, document.path("checks").textValue());
            }
            JsonNode branches = document.path("branches");
            for (int i = 0; i < branches.size(); i++) {
                inlineCassette(branches.get(i), "branches[" + i + "].cassette");
                findDirectory(branches.get(i), "workspace");
            }
            findDirectory(document, PackedWorkspaces.CODE);
            JsonNode strategy = document.path("strategy");
            inlineCassette(strategy.path("judge"), "strategy.judge.cassette");
            JsonNode panel = strategy.path("panel");
            for (int i = 0; i < panel.size(); i++) {
                inlineCassette(panel.get(i), "strategy.panel[" + i + "].cassette");
            }
            inlineCassette(document.path("grader"), "grader.cassette");
        }

        /** Resolves the directory that {@code field} names against that of the file. */
        private void findDirectory(JsonNode owner, String field) {
            JsonNode named = owner.path(field);
            if (owner instanceof ObjectNode object
                    && named.isTextual()
                    && !PackedWorkspaces.isStored(named.textValue())) {
                object.put(
                        field, directory.resolve(named.textValue()).normalize().toString());
            }
        }

        private void readSuite(ObjectNode document, String name) {
            if (name.endsWith(".csv")) {
                readPrompts(document, name);
                return;
            }
            try {
                document.set("suite", SuiteFile.read(directory.resolve(name).normalize()));
            } catch (InputFile.Unreadable e) {
                errors.add(new FieldError("suite", e.sentence()));
            }
        }

        /** Reads prompts. An error leaves the name in place, so that no second error is reported for it. */
        private void readPrompts(ObjectNode document, String name) {
            List<FieldError> found = new ArrayList<>();
            List<PromptRow> rows =
                    FastSkillFolder.prompts(directory.resolve(name).normalize(), "suite", found);
            errors.addAll(found);
            if (found.isEmpty()) {
                ObjectNode suite = document.putObject("suite");
                suite.put("name", name.substring(name.lastIndexOf('/') + 1, name.length() - ".csv".length()));
                suite.set("cases", FastSkillCampaign.cases(rows));
            }
        }

        private void readChecks(ObjectNode document, String name) {
            List<FieldError> found = new ArrayList<>();
            List<Check> checks = FastSkillFolder.checks(directory.resolve(name).normalize(), "checks", found);
            errors.addAll(found);
            if (found.isEmpty()) {
                document.set("checks", FastSkillCampaign.checks(checks));
            }
        }

        private void inlineCassette(JsonNode agent, String path) {
            if (!(agent instanceof ObjectNode object)
                    || !object.path("cassette").isTextual()) {
                return;
            }
            Path file = directory.resolve(object.path("cassette").textValue()).normalize();
            try {
                object.set("cassette", JsonLines.read(file));
            } catch (InputFile.Unreadable e) {
                errors.add(new FieldError(path, e.sentence()));
            }
        }
    }
}
