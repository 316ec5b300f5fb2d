package dev.assay.cli.option;

import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.file.ForeignFile;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.inspect.InspectBranch;
import dev.assay.domain.inspect.TargetCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

    /**
     * The imported file at {@code path}; null: there is none.
     *
     * @throws AssayException INVALID_INPUT or MALFORMED_INPUT when it cannot be imported
     */
    public @Nullable ForeignFile find(Path path) {
        if (CampaignFile.isIn(path)) {
            return null;
        }
        List<InspectBranch> named = branches.stream().map(InspectBranch::new).toList();
        return ForeignFile.find(path, new ForeignFile.Choices(allowUnmapped, named, check()));
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
