package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.command.AgentPermission;
import dev.assay.activities.command.OwnAgents;
import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.activities.operator.OperatorFile;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.selection.CustomStrategies;
import dev.assay.cli.file.CampaignFile;
import dev.assay.cli.report.CampaignSize;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.estimate.LimitNotices;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolsFile;
import dev.assay.standalone.server.OperatorFiles;
import dev.assay.work.secret.SecretVariables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks a campaign without a server, against the providers and tools that a worker of this environment would have. */
final class CampaignCheck {

    /** The wait for each provider: a check is not worth more. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private CampaignCheck() {}

    /**
     * Reads the campaign, and says how large it is.
     *
     * @param data the data directory, for its {@code providers.yaml}, {@code tools.yaml} and plugins; it may not exist
     * @throws AssayException INVALID_INPUT with every error, of the file and of those that it names
     */
    static CampaignSize check(CampaignFile file, Path data) {
        OperatorFiles files = OperatorFiles.of(data, System.getenv());
        try (ProviderCatalog catalog = ProviderCatalog.load(files.providers(), SecretVariables.ofProcess());
                CustomStrategies strategies = CustomStrategies.load(files.plugins())) {
            WorkerCapabilities offer = new WorkerCapabilities(catalog.infos(), tools(file, files), strategies.names());
            return CampaignSize.of(check(file, document -> CampaignReader.read(document, offer)), offer.providers());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The limits of tools, and the programs that the file itself brings and that are installed, or may be in an image. */
    private static ToolPolicy tools(CampaignFile file, OperatorFiles files) {
        ToolsFile tools = OperatorFile.toolsFile(files.tools());
        boolean hasPrograms = CampaignReader.mayStartProcesses(file.document());
        OwnAgents own = hasPrograms ? ownAgents(checkForServer(file).submission()) : null;
        return new AgentPermission(tools.policy(), own, ProgramIsolation.untried(tools.isolation())).offered();
    }

    /** The programs and own code that a command may run in its own process for {@code submission}; null: it has none. */
    static @Nullable OwnAgents ownAgents(CampaignSubmission submission) {
        List<AgentCommand> commands = submission.definition().commands();
        CodeAllowance code = submission.codeNeeds();
        return commands.isEmpty() && code.equals(CodeAllowance.NONE) ? null : OwnAgents.ofFile(commands, code);
    }

    /**
     * Warnings about a valid campaign, as sentences. They are of limits, and of models that will be shut down, as far as their
     * providers say so at once.
     *
     * @throws InterruptedException when the calling thread is interrupted
     */
    static List<String> warnings(CampaignSubmission submission, Path data) throws InterruptedException {
        OperatorFiles files = OperatorFiles.of(data, System.getenv());
        try (ProviderCatalog catalog = ProviderCatalog.load(files.providers(), SecretVariables.ofProcess())) {
            List<String> warnings = new ArrayList<>(LimitNotices.of(submission, catalog.infos()));
            warnings.addAll(catalog.shutdownNotices(submission.definition().modelsAsked(), PATIENCE));
            return warnings;
        }
    }

    /**
     * Reads a campaign for a server that runs, and that itself knows the providers of its workers.
     *
     * @throws AssayException INVALID_INPUT with every error, of the file and of those that it names
     */
    static CampaignSize checkForServer(CampaignFile file) {
        return CampaignSize.of(check(file, CampaignReader::readForServer), Map.of());
    }

    /**
     * The size of a campaign for a server elsewhere.
     *
     * @return null where this build cannot read the campaign: what is wrong with it, the server says, which may be a later build
     * @throws AssayException INVALID_INPUT when a file that it names is missing
     */
    static @Nullable CampaignSize sizeForServer(CampaignFile file) {
        file.requireFiles();
        try {
            return CampaignSize.of(CampaignReader.readForServer(file.document()), Map.of());
        } catch (AssayException e) {
            return null;
        }
    }

    private static CampaignSubmission check(CampaignFile file, Function<JsonNode, CampaignSubmission> reader) {
        try {
            CampaignSubmission submission = reader.apply(file.document());
            file.requireFiles();
            return submission;
        } catch (AssayException e) {
            throw e.errors().isEmpty()
                    ? e
                    : AssayException.refused(e.code(), e.failure().message(), file.with(e.errors()), e.moreErrors());
        }
    }
}
