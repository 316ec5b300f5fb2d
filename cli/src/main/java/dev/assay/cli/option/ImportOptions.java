package dev.assay.cli.option;

import dev.assay.activities.operator.OperatorFile;
import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.file.ForeignFile;
import dev.assay.cli.terminal.ErrorGroups;
import dev.assay.domain.check.TargetCheck;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.imports.ImportDefaults;
import dev.assay.domain.imports.ImportDefaults.ModelName;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.inspect.InspectBranch;
import dev.assay.standalone.server.OperatorFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for reading files of promptfoo and Inspect. */
public final class ImportOptions {

    @Option(
            names = "--allow-unmapped",
            description = "Leave out, with a warning, what has no counterpart here. A trial that lost a required check"
                    + " passes no more: it is unscored, or failed by another check.")
    private boolean allowUnmapped;

    @Option(
            names = "--branch",
            paramLabel = "PROVIDER/MODEL",
            description = "A model that answers imported samples (CSV, JSON Lines): a branch each; may be repeated.")
    private List<String> branches = new ArrayList<>();

    @Option(
            names = "--target-check",
            paramLabel = "TYPE",
            description = "Check of answers against targets of imported samples. Default: icontains.")
    private @Nullable String targetCheck;

    @Option(
            names = "--grader",
            paramLabel = "PROVIDER/MODEL",
            description = "The model that grades where a configuration of promptfoo names none. Default: `grader` of"
                    + " providers.yaml.")
    private @Nullable String grader;

    @Option(
            names = "--embedder",
            paramLabel = "PROVIDER/MODEL",
            description = "The model that computes embeddings where a configuration of promptfoo names none. Default:"
                    + " `embedder` of providers.yaml.")
    private @Nullable String embedder;

    @Mixin
    private OwnCodeOption ownCode = new OwnCodeOption();

    @Mixin
    private AllErrorsOption allErrors = new AllErrorsOption();

    /** The options of own code. */
    OwnCodeOption ownCode() {
        return ownCode;
    }

    /** What an import says beside errors, a line each. */
    List<String> lines(ImportReport report) {
        return Stream.of(lines("Warning: left out: ", report.unmapped()), lines("Note: ", report.notes()))
                .flatMap(List::stream)
                .toList();
    }

    private List<String> lines(String word, List<FieldError> said) {
        return ErrorGroups.lines(said, allErrors.each()).stream()
                .map(word::concat)
                .toList();
    }

    /**
     * The imported file at {@code path}; null: there is none.
     *
     * @param data the data directory, for its {@code providers.yaml}; it may not exist
     * @throws AssayException INVALID_INPUT or MALFORMED_INPUT when it cannot be imported
     */
    public @Nullable ForeignFile find(Path path, Path data) {
        if (CampaignFile.isIn(path)) {
            return null;
        }
        ModelName grades = model("--grader", grader);
        ModelName embeds = model("--embedder", embedder);
        List<InspectBranch> named = branches.stream().map(InspectBranch::new).toList();
        return ForeignFile.find(
                path,
                new ForeignFile.Choices(
                        allowUnmapped,
                        named,
                        check(),
                        new ForeignFile.Code(ownCode.loads(), ownCode.env()),
                        () -> configured(data).with(grades, embeds)));
    }

    private static ImportDefaults configured(Path data) {
        Path file = OperatorFiles.of(data, System.getenv()).providers();
        return file == null ? ImportDefaults.NONE : ImportDefaults.of(OperatorFile.read(file));
    }

    private static @Nullable ModelName model(String option, @Nullable String written) {
        ModelName name = written == null ? null : ModelName.read(written);
        if (written != null && name == null) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    option + " " + written + " must be PROVIDER/MODEL, such as openai/gpt-5-mini");
        }
        return name;
    }

    private @Nullable TargetCheck check() {
        if (targetCheck == null) {
            return null;
        }
        return Arrays.stream(TargetCheck.values())
                .filter(check -> check.word().equals(targetCheck))
                .findFirst()
                .orElseThrow(() -> new AssayException(
                        ErrorCode.INVALID_INPUT,
                        "--target-check must be one of "
                                + Arrays.stream(TargetCheck.values())
                                        .map(TargetCheck::word)
                                        .collect(Collectors.joining(", "))
                                + ", but is " + targetCheck));
    }
}
