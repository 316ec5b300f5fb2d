package dev.assay.domain.tool;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a server lets tools reach.
 *
 * @param addresses where requests may go
 * @param commands MCP servers that may be started, each with exactly these arguments
 */
public record ToolPolicy(List<Address> addresses, List<List<String>> commands) {

    /** Nothing is allowed but the built-in tools. */
    public static final ToolPolicy NONE = new ToolPolicy(List.of(), List.of());

    /**
     * A place on the allow-list: every address of the same scheme, host and port whose path begins with the same segments.
     *
     * @param url the beginning of what is allowed
     * @param variables names that headers may use, with the environment variable of the worker that holds the value
     */
    public record Address(String url, Map<String, String> variables) {

        public Address {
            variables = Map.copyOf(variables);
        }

        boolean covers(URI target) {
            URI own = URI.create(url);
            return own.getScheme().equalsIgnoreCase(target.getScheme())
                    && own.getHost().toLowerCase(Locale.ROOT).equals(host(target))
                    && port(own) == port(target)
                    && (target.getRawPath() + "/").startsWith(directory(own));
        }

        private static String host(URI target) {
            return Objects.toString(target.getHost(), "").toLowerCase(Locale.ROOT);
        }

        private static int port(URI uri) {
            if (uri.getPort() >= 0) {
                return uri.getPort();
            }
            return "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
        }

        private static String directory(URI uri) {
            String path = uri.getRawPath();
            return path.endsWith("/") ? path : path + "/";
        }
    }

    public ToolPolicy {
        addresses = List.copyOf(addresses);
        commands = commands.stream().map(List::copyOf).toList();
    }

    /** The first place that covers {@code target}; empty: it must not be asked. */
    public Optional<Address> covering(URI target) {
        return addresses.stream().filter(address -> address.covers(target)).findFirst();
    }

    /** What either allows. */
    public ToolPolicy or(ToolPolicy other) {
        return new ToolPolicy(join(addresses, other.addresses), join(commands, other.commands));
    }

    private static <T> List<T> join(List<T> some, List<T> more) {
        return java.util.stream.Stream.concat(some.stream(), more.stream())
                .distinct()
                .toList();
    }
}
