package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options and output of every command that changes a campaign and leaves it to the workers. */
public final class SteeringOptions {

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Option(names = "--json", description = "Print the campaign as the API shows it.")
    private boolean json;

    @Parameters(paramLabel = "ID", description = "The campaign.")
    private String id = "";

    String id() {
        return id;
    }

    ConnectOptions connect() {
        return connect;
    }

    /**
     * Asks for a change and reports the result.
     *
     * @param change asks the API; answers with the campaign after the change
     * @return the exit code
     */
    int steer(Function<AssayApi, JsonNode> change, Function<RemoteCampaign, String> sentence) {
        return steer(_ -> true, change, sentence);
    }

    /**
     * The same after a person has agreed.
     *
     * @param agreed asks the person, if need be; else nothing is changed
     */
    int steer(
            Predicate<AssayApi> agreed,
            Function<AssayApi, JsonNode> change,
            Function<RemoteCampaign, String> sentence) {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.READER, ApiSession.Joining.ANY)) {
            if (!agreed.test(session.api())) {
                return ExitCode.COULD_NOT_RUN;
            }
            JsonNode campaign = change.apply(session.api());
            PrintWriter out = connect.common().out();
            out.println(json ? campaign.toPrettyString() : text(session, AssayApi.view(campaign), sentence));
            out.flush();
            return ExitCode.OK;
        }
    }

    /**
     * The result in a sentence. A server of this command alone ends with it: a campaign that should go on waits for the next
     * server.
     */
    private String text(ApiSession session, RemoteCampaign view, Function<RemoteCampaign, String> sentence) {
        boolean waits = session.isEmbedded() && view.state().goesOn();
        return sentence.apply(view) + (waits ? " Go on with: " + connect.pasted("assay resume " + view.id()) : "");
    }
}
