package dev.assay.domain.tool;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One entry of a branch's {@code tools}. */
public sealed interface Tool {

    /** Its name; of an MCP server, the server's name. */
    String name();

    /** The time limit of one call. */
    Duration timeout();

    /** Time of a call where the campaign does not say. */
    Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /** A tool of Assay itself: pure, bounded, and of no consequence. */
    record BuiltIn(BuiltInTool tool, Duration timeout) implements Tool {
        @Override
        public String name() {
            return tool.word();
        }
    }

    /**
     * A request to a server on the allow-list.
     *
     * @param idempotent whether a call may be repeated when its end is unknown
     */
    record Http(ToolSpec spec, Request request, Duration timeout, boolean idempotent) implements Tool {
        @Override
        public String name() {
            return spec.name();
        }
    }

    /**
     * An HTTP request with places for arguments.
     *
     * @param method GET, HEAD, POST, PUT, PATCH or DELETE
     * @param url places are filled in percent-encoded
     * @param headers values; {@code ${name}} stands for a variable of the server
     * @param body places are filled in as JSON; null: the arguments that the URL does not take, as a JSON object, for methods
     *     that have a body
     */
    record Request(
            String method,
            UrlTemplate url,
            Map<String, String> headers,
            @Nullable String body) {

        public Request {
            headers = Map.copyOf(headers);
        }

        /** Whether the method has a body. */
        public boolean hasBody() {
            return !method.equals("GET") && !method.equals("HEAD") && !method.equals("DELETE");
        }
    }

    /**
     * The tools of an MCP server.
     *
     * @param only names of the tools that are offered; empty: all that the server has
     * @param idempotent whether a call may be repeated when its end is unknown
     */
    record Mcp(String name, McpServer server, List<String> only, Duration timeout, boolean idempotent) implements Tool {

        public Mcp {
            only = List.copyOf(only);
        }
    }

    /** The connection to an MCP server. */
    sealed interface McpServer {

        /**
         * Streamable HTTP.
         *
         * @param headers as in {@link Request}
         */
        record Http(String url, Map<String, String> headers) implements McpServer {

            public Http {
                headers = Map.copyOf(headers);
            }
        }

        /** A process of the worker's machine that is spoken to over its standard input and output. */
        record Stdio(List<String> command) implements McpServer {

            public Stdio {
                command = List.copyOf(command);
            }
        }
    }
}
