package dev.assay.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.assay.cli.file.Overrides;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options that change a campaign file for one run. */
public final class OverrideOptions {

    @Option(names = "--trials", paramLabel = "N", description = "Repetitions of each case, 1-1000.")
    private @Nullable Integer trials;

    @Option(names = "--parallel", paramLabel = "N", description = "Model calls in flight.")
    private @Nullable Integer parallel;

    @Option(
            names = "--max-outage",
            paramLabel = "TIME",
            description = "How long it waits for a provider that is down, such as 30m; 0s: cells fail at once.")
    private @Nullable String maxOutage;

    @Option(names = "--threshold", paramLabel = "X", description = "Share of a case's trials that must pass, 0-1.")
    private @Nullable String threshold;

    @Option(names = "--suite-threshold", paramLabel = "X", description = "Share of cases that must pass, 0-1.")
    private @Nullable String suiteThreshold;

    @Option(
            names = "--metadata",
            paramLabel = "NAME=VALUE",
            description =
                    "Noted of the campaign, such as commit=3f2a91c; may be repeated. Replaces what the file says.")
    private Map<String, String> metadata = new LinkedHashMap<>();

    @Option(names = "--case", paramLabel = "ID", description = "Only this case; may be repeated.")
    private List<String> cases = new ArrayList<>();

    @Option(names = "--tag", paramLabel = "TAG", description = "Only cases with this tag; may be repeated.")
    private List<String> tags = new ArrayList<>();

    @ArgGroup
    private Reuse reuse = new Reuse();

    /** One of these at most. */
    private static final class Reuse {

        @Option(
                names = "--reuse",
                paramLabel = "any|ID",
                description = "Take stored answers to the same requests: of any campaign, or of this one.")
        private @Nullable String from;

        @Option(names = "--no-reuse", description = "Ask for every answer, whatever the file says.")
        private boolean none;

        @Nullable
        JsonNode field() {
            if (none) {
                return NullNode.getInstance();
            }
            return from == null ? null : JsonNodeFactory.instance.objectNode().put("from", from);
        }
    }

    @Option(
            names = "--delivery",
            paramLabel = "live|batch|auto",
            description = "How all branches are asked: live, or in batches of their providers at a lower price.")
    private @Nullable String delivery;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            description = "When answers of batches must be there, such as 6h, from 10m to 168h.")
    private @Nullable String deadline;

    public Overrides overrides() {
        return new Overrides(
                trials,
                parallel,
                maxOutage,
                Overrides.share("--threshold", threshold),
                Overrides.share("--suite-threshold", suiteThreshold),
                metadata,
                cases,
                tags,
                reuse.field(),
                new Overrides.Delivered(delivery, deadline));
    }
}
