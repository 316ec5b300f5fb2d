package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.mcp.client.McpCallContext;
import dev.langchain4j.mcp.client.transport.McpTransport;
import dev.langchain4j.mcp.protocol.McpClientMessage;
import dev.langchain4j.mcp.protocol.McpListToolsRequest;
import java.util.concurrent.CompletableFuture;

/** A transport that treats all messages alike, but bounds a list of tools ({@link McpListing}). */
abstract class McpExchange implements McpTransport {

    private final McpListing listing = new McpListing();

    /** Sends a message; the answer, or null for a message that has none. */
    abstract CompletableFuture<JsonNode> send(McpClientMessage message);

    @Override
    public final CompletableFuture<JsonNode> executeOperationWithResponse(McpClientMessage request) {
        CompletableFuture<JsonNode> answer = send(request);
        return request instanceof McpListToolsRequest ? answer.thenApply(listing::counted) : answer;
    }

    @Override
    public final CompletableFuture<JsonNode> executeOperationWithResponse(McpCallContext context) {
        return executeOperationWithResponse(context.message());
    }

    @Override
    public final void executeOperationWithoutResponse(McpClientMessage request) {
        var _ = send(request);
    }

    @Override
    public final void executeOperationWithoutResponse(McpCallContext context) {
        executeOperationWithoutResponse(context.message());
    }

    @Override
    public final void onFailure(Runnable action) {
        // A session that fails is not begun again: the next loop opens its own.
    }
}
