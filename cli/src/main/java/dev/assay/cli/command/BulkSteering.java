package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.CampaignFilter;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.CampaignTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Terminal;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The campaigns that a command pauses, resumes or cancels: the ones that it names, or the ones that a query of the list finds. */
public final class BulkSteering {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Mixin
    private CampaignFilter query = new CampaignFilter();

    @Option(names = "--yes", description = "Do not ask before the campaigns that a query finds are changed.")
    private boolean yes;

    @Parameters(paramLabel = "ID", arity = "0..*", description = "The campaigns.")
    private List<String> ids = List.of();

    /**
     * The change that a command makes to each campaign.
     *
     * @param verb as the API and users call it
     * @param sentence says for people that it is done
     */
    record Change(String verb, Function<RemoteCampaign, String> sentence) {}

    ConnectOptions connect() {
        return connect;
    }

    /** Refuses a command line that names no campaign, or that names some and filters others. */
    void check() {
        if (ids.isEmpty() && query.isEmpty()) {
            throw connect.common().badUsage("Name campaigns, or say which by --state, --suite or --name");
        }
        if (!ids.isEmpty() && !query.isEmpty()) {
            throw connect.common()
                    .badUsage("Name campaigns, or say which by --state, --suite and --name, but not both");
        }
    }

    /** Whether the user named exactly one campaign. */
    boolean isOne() {
        return Set.copyOf(ids).size() == 1;
    }

    /** The only campaign. */
    String id() {
        return ids.getFirst();
    }

    /**
     * Changes every campaign, also after one failed, and reports each result.
     *
     * @param json whether the report has the API's form: of several campaigns a list, with an error where one failed
     * @return the exit code: COULD_NOT_RUN when one could not be changed, or when the user declined
     */
    int steer(ApiSession session, Change change, boolean json) {
        if (isOne()) {
            JsonNode campaign = session.api().act(id(), change.verb());
            say(json ? campaign.toPrettyString() : text(session, campaign, change));
            return ExitCode.OK;
        }
        Set<String> chosen = new LinkedHashSet<>(ids);
        if (!query.isEmpty()) {
            // All pages are read before the first change: a query by state would lose its place.
            List<JsonNode> found = query.find(session.api());
            if (!found.isEmpty() && !agreed(found, change.verb())) {
                return ExitCode.COULD_NOT_RUN;
            }
            found.forEach(campaign -> chosen.add(campaign.path("id").asText()));
        }
        return each(session, chosen, change, json);
    }

    private int each(ApiSession session, Set<String> chosen, Change change, boolean json) {
        ArrayNode results = Json.mapper().createArrayNode();
        int failed = 0;
        for (String id : chosen) {
            try {
                JsonNode campaign = session.api().act(id, change.verb());
                results.add(campaign);
                line(text(session, campaign, change), json);
            } catch (AssayException e) {
                if (e.code() == ErrorCode.CANCELLED) {
                    throw e;
                }
                failed++;
                results.addObject()
                        .put("id", id)
                        .putObject("error")
                        .put("code", e.code().name())
                        .put("message", e.getMessage());
                line("Could not " + change.verb() + " " + id + ": " + e.getMessage(), json);
            }
        }
        if (json) {
            say(results.toPrettyString());
        } else if (chosen.isEmpty()) {
            say("No campaign matches.");
        } else if (failed > 0) {
            warn(failed + " of " + chosen.size() + " campaigns could not be changed.");
        }
        return failed == 0 ? ExitCode.OK : ExitCode.COULD_NOT_RUN;
    }

    private boolean agreed(List<JsonNode> found, String verb) {
        if (yes) {
            return true;
        }
        warn(CampaignTable.of(found.stream().map(AssayApi::view).toList()).stripTrailing());
        String what = verb + (found.size() == 1 ? " this campaign" : " these " + found.size() + " campaigns");
        if (!Terminal.isInteractive() || !Terminal.canAsk()) {
            throw connect.common().badUsage("There is no terminal to ask whether to " + what + "; give --yes");
        }
        return Terminal.agrees("Do you want to " + what + "?", connect.common().err());
    }

    /** The result in a sentence. A server of this command alone ends with it: campaigns that should go on wait for the next server. */
    private String text(ApiSession session, JsonNode campaign, Change change) {
        RemoteCampaign view = AssayApi.view(campaign);
        boolean waits = session.isEmbedded() && view.state().goesOn();
        return change.sentence().apply(view)
                + (waits ? " Go on with: " + connect.pasted("assay resume " + view.id()) : "");
    }

    private void line(String text, boolean json) {
        if (!json) {
            say(text);
        }
    }

    private void say(String text) {
        print(connect.common().out(), text);
    }

    private void warn(String text) {
        print(connect.common().err(), text);
    }

    private static void print(PrintWriter to, String text) {
        to.println(text);
        to.flush();
    }
}
