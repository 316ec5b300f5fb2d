package dev.assay.cli.command.label;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.command.ApiSession;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.label.LabelValue;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Labels one answer. */
@Command(name = "label", description = "Say whether an answer passes. A label changes no verdict.")
public final class LabelCommand implements Callable<Integer> {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Parameters(index = "0", paramLabel = "CAMPAIGN", description = "Id of the campaign.")
    private String campaign = "";

    @Parameters(index = "1", paramLabel = "CASE", description = "Id of the case.")
    private String caseId = "";

    @Parameters(index = "2", paramLabel = "LABEL", description = "pass, fail, unsure, or a number from 0 to 1.")
    private String label = "";

    @Option(names = "--branch", paramLabel = "B", description = "Id of the branch. Default: the only one.")
    private @Nullable String branch;

    @Option(names = "--trial", paramLabel = "N", description = "Which repetition, from 1. Default: 1.")
    private int trial = 1;

    @Option(
            names = "--check",
            paramLabel = "C",
            description = "Metric or type of the check that the label decides. Default: the trial as a whole.")
    private @Nullable String check;

    @Option(names = "--labeller", paramLabel = "L", description = "Who says it. Default: the name of the token.")
    private @Nullable String labeller;

    @Option(names = "--note", paramLabel = "T", description = "Why.")
    private @Nullable String note;

    @Option(names = "--json", description = "Print the API's answer as JSON.")
    private boolean json;

    @Override
    public Integer call() {
        LabelValue value = LabelValue.parse(label);
        if (value == null) {
            throw connect.common().badUsage("LABEL must be pass, fail, unsure or a number from 0 to 1");
        }
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.LISTER, ApiSession.Joining.ANY)) {
            AssayApi api = session.api();
            String on = branch == null ? only(api) : branch;
            JsonNode labels = api.labels().put(campaign, caseId, on, trial, body(value));
            PrintWriter out = connect.common().out();
            if (json) {
                out.println(labels.toPrettyString());
            } else {
                int count = labels.path("items").size();
                out.println("Labelled trial " + trial + " of " + caseId + " on " + on + " as " + value.text()
                        + "; it has " + count + (count == 1 ? " label." : " labels."));
            }
            out.flush();
            return ExitCode.OK;
        }
    }

    private String only(AssayApi api) {
        JsonNode branches = api.definition(campaign).path("branches");
        if (branches.size() != 1) {
            throw connect.common().badUsage("Campaign " + campaign + " has several branches: name one with --branch");
        }
        return branches.get(0).path("id").asText();
    }

    private ObjectNode body(LabelValue value) {
        ObjectNode body = Json.mapper().createObjectNode();
        if (value.score() == null) {
            body.put("verdict", value.text());
        } else {
            body.put("score", value.score());
        }
        body.put("check", check);
        body.put("labeller", labeller);
        body.put("note", note);
        return body;
    }
}
