package dev.assay.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.TargetCheck;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.imports.CsvRows;
import dev.assay.domain.imports.ImportDefaults;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.Imported;
import dev.assay.domain.imports.SourcePrograms;
import dev.assay.domain.inspect.InspectBranch;
import dev.assay.domain.inspect.InspectDataset;
import dev.assay.domain.promptfoo.PromptfooConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file of promptfoo or in the form of Inspect.
 *
 * @param report what was found in it, without errors
 */
public record ForeignFile(ObjectNode document, ImportReport report) {

    private static final List<String> CONFIGURATIONS =
            List.of("promptfooconfig.yaml", "promptfooconfig.yml", "promptfooconfig.json");

    /**
     * The choices of the command line about an import.
     *
     * @param allowsUnmapped whether what has no counterpart is left out with a warning
     * @param check how answers are compared to targets; null: as Inspect does
     * @param code whether and how its programs are run
     * @param defaults what holds where a configuration of promptfoo names no model; asked for such a file only
     */
    public record Choices(
            boolean allowsUnmapped,
            List<InspectBranch> branches,
            @Nullable TargetCheck check,
            Code code,
            Supplier<ImportDefaults> defaults) {

        public Choices {
            branches = List.copyOf(branches);
        }
    }

    /**
     * Whether and how programs that a configuration names are run.
     *
     * @param runs whether they are run
     * @param env names of variables that they may see
     */
    public record Code(boolean runs, List<String> env) {

        public Code {
            env = List.copyOf(env);
        }
    }

    /**
     * Reads the file at {@code path}, or {@code promptfooconfig.yaml} in that directory; null: no other tool's file stands there.
     *
     * @throws AssayException INVALID_INPUT with all errors, MALFORMED_INPUT when it cannot be parsed
     */
    public static @Nullable ForeignFile find(Path path, Choices choices) {
        Path file = Files.isDirectory(path) ? configurationIn(path) : path;
        if (file == null || !Files.isRegularFile(file)) {
            return null;
        }
        String kind = kind(file);
        if (kind.equals("py")) {
            throw python(file);
        }
        if (kind.equals("csv") || kind.equals("jsonl")) {
            return of(samples(file, kind), file, choices);
        }
        if (!List.of("yaml", "yml", "json").contains(kind)) {
            return null;
        }
        String text = text(file);
        boolean mayBeList = kind.equals("json") && text.stripLeading().startsWith("[");
        boolean mayBePromptfoo = PromptfooConfig.mayBe(text);
        if (!mayBeList && !mayBePromptfoo) {
            return null;
        }
        JsonNode tree = parse(file, text);
        if (tree.isArray()) {
            List<JsonNode> samples = new ArrayList<>();
            tree.forEach(samples::add);
            return of(samples, file, choices);
        }
        return PromptfooConfig.is(tree) ? ofPromptfoo(tree, file, choices) : null;
    }

    /** A task of Inspect is a program, which nothing here runs. */
    private static AssayException python(Path file) {
        return new AssayException(
                ErrorCode.INVALID_INPUT,
                file
                        + " is a Python program. Assay reads Inspect's samples; give the data set's file:"
                        + " assay run samples.jsonl --branch PROVIDER/MODEL");
    }

    private static @Nullable Path configurationIn(Path directory) {
        return CONFIGURATIONS.stream()
                .map(directory::resolve)
                .filter(Files::exists)
                .findFirst()
                .orElse(null);
    }

    private static ForeignFile ofPromptfoo(JsonNode tree, Path file, Choices choices) {
        Path directory = file.toAbsolutePath().normalize().getParent();
        Path home = directory == null ? Path.of("/") : directory;
        try (ImportPrograms programs = new ImportPrograms(home, choices.code.env())) {
            Imported imported = PromptfooConfig.read(
                    tree,
                    name(home),
                    new DirectoryFiles(home),
                    choices.code.runs() ? programs : SourcePrograms.NONE,
                    choices.defaults.get());
            return finished(imported, "configuration of promptfoo", choices);
        }
    }

    private static ForeignFile of(List<? extends JsonNode> samples, Path file, Choices choices) {
        return finished(
                InspectDataset.read(samples, name(file), choices.branches, choices.check), "file of samples", choices);
    }

    private static ForeignFile finished(Imported imported, String what, Choices choices) {
        imported.report().throwIfAny(what, choices.allowsUnmapped);
        return new ForeignFile(imported.document(), imported.report());
    }

    private static List<? extends JsonNode> samples(Path file, String kind) {
        try {
            if (kind.equals("csv")) {
                return CsvRows.read(InputFile.text(file));
            }
            List<JsonNode> samples = new ArrayList<>();
            JsonLines.read(file).forEach(samples::add);
            return samples;
        } catch (InputFile.Unreadable e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, e.sentence(), e);
        } catch (AssayException e) {
            throw new AssayException(e.code(), file + ": " + e.getMessage(), e);
        }
    }

    private static String text(Path file) {
        try {
            return InputFile.text(file);
        } catch (InputFile.Unreadable e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, e.sentence(), e);
        }
    }

    private static JsonNode parse(Path file, String text) {
        try {
            return DocumentText.parse(text);
        } catch (AssayException e) {
            throw new AssayException(e.code(), file + ": " + e.getMessage(), e);
        }
    }

    private static String kind(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    private static String name(Path file) {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.[A-Za-z]+$", "");
        String fit = IdRule.fit(name).strip();
        return fit.isEmpty() ? "import" : fit;
    }
}
