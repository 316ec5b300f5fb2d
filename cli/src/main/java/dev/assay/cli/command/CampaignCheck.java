package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.selection.CustomStrategies;
import dev.assay.activities.tool.ToolPolicyFile;
import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.server.PluginDirectory;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.selection.JudgePlan;
import dev.assay.domain.tool.ToolPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks a campaign without a server, against the providers and tools that a worker of this environment would have. */
final class CampaignCheck {

    private CampaignCheck() {}

    /**
     * Reads the campaign.
     *
     * @param data the data directory, for its {@code providers.yaml}, {@code tools.yaml} and plugins; it may not exist
     * @throws AssayException INVALID_INPUT with every error, of the file and of those that it names
     */
    static CampaignSubmission check(CampaignFile file, Path data) {
        try (ProviderCatalog catalog = ProviderCatalog.load(
                        operatorsFile(data, "ASSAY_PROVIDERS", "providers.yaml"), System.getenv());
                CustomStrategies strategies = CustomStrategies.load(PluginDirectory.of(data, System.getenv()))) {
            Path tools = operatorsFile(data, "ASSAY_TOOLS", "tools.yaml");
            ToolPolicy policy = tools == null ? ToolPolicy.NONE : ToolPolicyFile.read(tools);
            WorkerCapabilities offer = new WorkerCapabilities(catalog.infos(), policy, strategies.names());
            return check(file, document -> CampaignReader.read(document, offer));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a campaign for a server that runs, which knows itself what its workers can ask.
     *
     * @throws AssayException INVALID_INPUT with every error, of the file and of those that it names
     */
    static CampaignSubmission checkForServer(CampaignFile file) {
        return check(file, CampaignReader::readForServer);
    }

    private static CampaignSubmission check(CampaignFile file, Function<JsonNode, CampaignSubmission> reader) {
        try {
            CampaignSubmission submission = reader.apply(file.document());
            file.requireFiles();
            return submission;
        } catch (AssayException e) {
            throw e.errors().isEmpty()
                    ? e
                    : AssayException.invalid(e.failure().message(), file.with(e.errors()), e.moreErrors());
        }
    }

    private static @Nullable Path operatorsFile(Path data, String variable, String name) {
        String named = System.getenv(variable);
        if (named != null && !named.isEmpty()) {
            return Path.of(named);
        }
        Path own = data.resolve(name);
        return Files.exists(own) ? own : null;
    }

    /** Such as {@code 20 cases × 2 branches × 2 trials = 80 cells, and 40 judge calls}. */
    static String size(CampaignSubmission submission) {
        int cases = submission.suite().cases().size();
        int branches = submission.definition().branches().size();
        int trials = submission.definition().trials();
        return String.format(
                Locale.ROOT,
                "%s × %s × %s = %,d %s%s",
                count(cases, "case"),
                count(branches, "branch", "branches"),
                count(trials, "trial"),
                cells(submission),
                cells(submission) == 1 ? "cell" : "cells",
                judging(submission));
    }

    private static String judging(CampaignSubmission submission) {
        long calls = judgeCalls(submission);
        return calls == 0 ? "" : String.format(Locale.ROOT, ", and %,d judge %s", calls, calls == 1 ? "call" : "calls");
    }

    private static String count(int count, String one) {
        return count(count, one, one + "s");
    }

    private static String count(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    /** Whether any branch or judge asks a provider, instead of recorded or scripted answers. */
    static boolean isPaidFor(CampaignSubmission submission) {
        CampaignDefinition definition = submission.definition();
        Stream<Agent> judges = definition.judging().stream()
                .flatMap(rule -> rule.judges().stream())
                .map(Judge::agent);
        return Stream.concat(definition.branches().stream().map(Branch::agent), judges)
                .anyMatch(agent -> switch (agent) {
                    case Agent.Model model -> true;
                    case Agent.Replay replay -> false;
                    case Agent.Scripted scripted -> false;
                });
    }

    /** Judge calls of the campaign when every branch completes, apart from retries and repairs. */
    static long judgeCalls(CampaignSubmission submission) {
        CampaignDefinition definition = submission.definition();
        int ofTrial =
                JudgePlan.calls(definition.strategy(), definition.branches().size());
        return (long) submission.suite().cases().size() * definition.trials() * ofTrial;
    }

    /** Cells of the campaign. */
    static long cells(CampaignSubmission submission) {
        return (long) submission.suite().cases().size()
                * submission.definition().branches().size()
                * submission.definition().trials();
    }
}
