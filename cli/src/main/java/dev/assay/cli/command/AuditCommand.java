package dev.assay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.option.ConnectOptions;
import dev.assay.cli.report.JsonRows;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.standalone.server.ServerOptions;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the audit, newest first, row by row as it arrives: it may be larger than the memory. */
@Command(name = "audit", description = "Print who changed what and what was refused, newest first.")
public final class AuditCommand implements Callable<Integer> {

    private static final String INSTANT = "TIME";

    @Mixin
    private ConnectOptions connect = new ConnectOptions();

    @Option(names = "--who", paramLabel = "NAME", description = "Only of this author: a token's name, local, unknown.")
    private @Nullable String who;

    @Option(names = "--object", paramLabel = "ID", description = "Only about the campaign, evaluation … of this id.")
    private @Nullable String object;

    @Option(names = "--from", paramLabel = INSTANT, description = "Not before this time, such as 2026-11-25T18:00:00Z.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = INSTANT, description = "Before this time.")
    private @Nullable String to;

    @Option(names = "--refused", description = "Only requests that were refused.")
    private boolean refused;

    @Option(names = "--json", description = "Print the API's rows as JSON, a list.")
    private boolean json;

    @Override
    public Integer call() {
        try (ApiSession session = ApiSession.open(connect, ServerOptions.Role.LISTER, ApiSession.Joining.ANY)) {
            PrintWriter out = connect.common().out();
            if (json) {
                JsonRows.print(out, row -> session.api().audit(filter(), row));
            } else {
                session.api().audit(filter(), row -> out.println(line(row)));
            }
            out.flush();
            return ExitCode.OK;
        }
    }

    private Map<String, String> filter() {
        Map<String, String> filter = new LinkedHashMap<>();
        put(filter, "who", who);
        put(filter, "object", object);
        put(filter, "from", from);
        put(filter, "to", to);
        put(filter, "refused", refused ? "true" : null);
        return filter;
    }

    private static void put(Map<String, String> filter, String name, @Nullable String value) {
        if (value != null) {
            filter.put(name, value);
        }
    }

    private static String line(JsonNode row) {
        String at = Instant.parse(row.path("at").asText())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        String status = row.hasNonNull("status") ? row.get("status").asText() : "-";
        long repeated = row.path("repeated").asLong();
        return "%s  %-3s  %-16s  %-15s  %s%s"
                .formatted(
                        at,
                        status,
                        row.path("who").asText(),
                        row.path("from").asText(),
                        row.path("what").asText(),
                        repeated == 0 ? "" : " (and " + repeated + " more)");
    }
}
