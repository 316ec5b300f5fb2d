package dev.assay.cli.command.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.client.ImportsApi;
import dev.assay.domain.json.Json;
import dev.assay.domain.results.form.ToolResults;
import java.io.ByteArrayOutputStream;

/** Sends results to a server, some MiB at a time. Where they cannot be sent as a whole, nothing of them stays. */
final class ResultSender {

    private static final int PIECE = 4 * 1024 * 1024;

    private final ImportsApi api;
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private int sent;

    ResultSender(ImportsApi api) {
        this.api = api;
    }

    /**
     * Sends results.
     *
     * @param check looks at the files once more before the end
     * @return the id of the campaign, and whether it was there before
     */
    static Sent send(ImportsApi api, ObjectNode header, ToolResults results, Runnable check) {
        JsonNode begun = api.begin(header);
        if (begun.hasNonNull("campaign")) {
            return new Sent(begun.get("campaign").asText(), true);
        }
        String id = begun.path("import").asText();
        boolean isDone = false;
        try {
            ResultSender sender = new ResultSender(api);
            results.write(line -> sender.add(id, line));
            sender.flush(id);
            check.run();
            JsonNode campaign = api.finish(id, results.ended());
            isDone = true;
            return new Sent(campaign.path("id").asText(), false);
        } finally {
            if (!isDone) {
                api.remove(id);
            }
        }
    }

    /**
     * Results that were sent.
     *
     * @param campaign its id
     * @param isKnown whether the same files were imported before
     */
    record Sent(String campaign, boolean isKnown) {}

    private void add(String id, ObjectNode line) {
        byte[] bytes = Json.bytes(line);
        if (waiting.size() > 0 && waiting.size() + bytes.length >= PIECE) {
            flush(id);
        }
        waiting.writeBytes(bytes);
        waiting.write('\n');
    }

    private void flush(String id) {
        if (waiting.size() > 0) {
            api.add(id, sent++, waiting.toByteArray());
            waiting.reset();
        }
    }
}
