package dev.assay.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.option.ReportOptions;
import dev.assay.cli.report.AccountText;
import dev.assay.cli.report.CalibrationText;
import dev.assay.cli.report.CampaignTable;
import dev.assay.cli.report.CaseTable;
import dev.assay.cli.report.ErroredCells;
import dev.assay.cli.report.HealthText;
import dev.assay.cli.report.ResultTable;
import dev.assay.cli.report.ScoringText;
import dev.assay.cli.report.run.RunOrigin;
import dev.assay.cli.report.run.RunReports;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.ScreenText;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.ExitRule;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Shows one campaign and, when it has ended, its result. */
@Command(name = "show", description = "Show one campaign and its result, or write its files, in every state.")
public final class ShowCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Mixin
    private ReportOptions reports = new ReportOptions();

    @Option(names = "--json", description = "Print the API's answer as JSON.")
    private boolean json;

    @Option(names = "--branch", paramLabel = "BRANCH", description = "List the cases of this branch. Default: of all.")
    private @Nullable String branch;

    @Option(
            names = "--cases",
            paramLabel = "WHICH",
            description = "List cases: ${COMPLETION-CANDIDATES}. Default with --branch: all.",
            converter = ChoiceConverter.class,
            completionCandidates = ChoiceCandidates.class)
    private CaseTable.@Nullable Choice cases;

    @Parameters(paramLabel = "ID", description = "The campaign.")
    private String id = "";

    @Override
    public Integer call() {
        reports.checkPlaces();
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            PrintWriter out = connect.common().out();
            if (cases == CaseTable.Choice.ERRORED) {
                showErrored(session.api(), out);
            } else if (branch != null || cases != null) {
                showCases(session.api().report(id), cases == null ? CaseTable.Choice.ALL : cases, out);
            } else if (json) {
                out.println(session.api().campaignJson(id).toPrettyString());
            } else {
                RemoteCampaign view = session.api().campaign(id);
                out.print(CampaignTable.of(List.of(view)));
                HealthText.lines(view.health(), Instant.now()).forEach(out::println);
                view.metadataLines().stream().map(ScreenText::plain).forEach(out::println);
                view.interpreterLines().forEach(out::println);
                if (view.state() == CampaignState.COMPLETED) {
                    out.println();
                    out.print(ResultTable.of(id, session.api().report(id), connect::pasted));
                    out.print(people(session.api()));
                    out.print(
                            view.scoring() == null
                                    ? ""
                                    : ScoringText.of(session.api().scoring(id)));
                }
                CampaignAccount account = view.account();
                out.print(account == null ? "" : new AccountText(account, id, connect::pasted).errors());
            }
            out.flush();
            if (reports.places().any()) {
                writeReports(session);
            }
            return ExitCode.OK;
        }
    }

    /** What people say of the verdicts, a line for each branch; empty without labels. */
    private String people(AssayApi api) {
        return api.labels().any(id) ? CalibrationText.lines(api.labels().calibration(id, Map.of("pageSize", "1"))) : "";
    }

    private void showErrored(AssayApi api, PrintWriter out) {
        if (json) {
            ArrayNode items = Json.mapper().createArrayNode();
            ErroredCells.read(api, id, branch, items::add);
            out.println(items.toPrettyString());
            return;
        }
        AtomicLong cells = new AtomicLong();
        ErroredCells.read(api, id, branch, outcome -> {
            cells.incrementAndGet();
            out.println(ErroredCells.line(outcome));
        });
        out.println(
                cells.get() == 0
                        ? "No cell ended in an error."
                        : "Run them again with: " + connect.pasted("assay rerun " + id + " --errored"));
    }

    private void writeReports(ApiSession session) {
        RunReports files = new RunReports(
                session.api(),
                session.api().campaign(id),
                reports.places(),
                RunOrigin.NONE,
                connect.common().err());
        var _ = files.write(ExitRule.decide(session.api().report(id), false));
    }

    private void showCases(CampaignSummary summary, CaseTable.Choice choice, PrintWriter out) {
        List<String> known =
                summary.branches().stream().map(BranchSummary::branchId).toList();
        if (branch != null && !known.contains(branch)) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "--branch " + branch + ": the campaign has no such branch; it has " + String.join(", ", known));
        }
        List<BranchSummary> chosen = summary.branches().stream()
                .filter(one -> branch == null || one.branchId().equals(branch))
                .toList();
        if (!json) {
            out.print(CaseTable.of(chosen, choice));
            return;
        }
        ArrayNode items = Json.mapper().createArrayNode();
        for (BranchSummary one : chosen) {
            CaseTable.cases(one, choice).forEach(found -> {
                ObjectNode item = Json.mapper().valueToTree(found);
                items.add(item.put("branchId", one.branchId()));
            });
        }
        out.println(items.toPrettyString());
    }

    /** Words in small letters. */
    static final class ChoiceConverter implements ITypeConverter<CaseTable.Choice> {
        @Override
        public CaseTable.Choice convert(String word) {
            return Arrays.stream(CaseTable.Choice.values())
                    .filter(choice -> word(choice).equals(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("expected one of "
                            + String.join(", ", new ChoiceCandidates()) + " but was '" + word + "'"));
        }
    }

    static final class ChoiceCandidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(CaseTable.Choice.values())
                    .map(ShowCommand::word)
                    .iterator();
        }
    }

    private static String word(CaseTable.Choice choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }
}
