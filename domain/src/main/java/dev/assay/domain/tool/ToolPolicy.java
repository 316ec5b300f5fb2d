package dev.assay.domain.tool;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.isolation.IsolationOffer;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The addresses and commands that tools may reach.
 *
 * @param addresses where requests may go
 * @param commands MCP servers that may be started, each with exactly these arguments
 * @param agents programs that may be started for branches
 * @param isolation what the worker says of these programs; null: a file, a worker without any, or a build that knows no isolation
 * @param code the own code that may run
 */
public record ToolPolicy(
        List<Address> addresses,
        List<List<String>> commands,
        List<AllowedAgent> agents,
        @Nullable IsolationOffer isolation,
        CodeAllowance code) {

    /** Nothing is allowed but the built-in tools. */
    public static final ToolPolicy NONE = new ToolPolicy(List.of(), List.of());

    /**
     * A place on the allow-list: every address of the same scheme, host and port whose path begins with the same segments.
     *
     * @param url the beginning of what is allowed
     * @param variables names that headers may use, with the environment variable of the worker that holds the value
     * @param maxConcurrent requests of branches of kind http in flight that its host allows, over all campaigns, at least 1; null:
     *     1,000
     * @param requestsPerMinute requests of branches of kind http that its host takes, over all campaigns, at least 1; null: no limit
     * @param requestsPerDay as {@code requestsPerMinute}, of a day
     */
    public record Address(
            String url,
            Map<String, String> variables,
            @Nullable Integer maxConcurrent,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long requestsPerMinute,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long requestsPerDay) {

        private static final int DEFAULT_CONCURRENT = 1_000;

        public Address {
            variables = Map.copyOf(variables);
        }

        /** A place without limits of requests. */
        public Address(String url, Map<String, String> variables, @Nullable Integer maxConcurrent) {
            this(url, variables, maxConcurrent, null, null);
        }

        /** A place without a bound of its own. */
        public Address(String url, Map<String, String> variables) {
            this(url, variables, null);
        }

        boolean covers(URI target) {
            URI own = URI.create(url);
            return own.getScheme().equalsIgnoreCase(target.getScheme())
                    && own.getHost().toLowerCase(Locale.ROOT).equals(host(target))
                    && port(own) == port(target)
                    && AddressPath.isBelow(own.getRawPath(), target.getRawPath());
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
    }

    /**
     * A program that branches may start.
     *
     * @param env names of the worker's environment variables that it may see
     * @param homeFiles files of the worker's home that it may have a copy of
     */
    public record AllowedAgent(String program, Set<String> env, Set<String> homeFiles) {

        public AllowedAgent {
            env = Set.copyOf(env);
            homeFiles = Set.copyOf(homeFiles);
        }

        boolean covers(AgentCommand command) {
            return program.equals(command.program())
                    && env.containsAll(command.env())
                    && homeFiles.containsAll(command.homeFiles());
        }
    }

    /** A policy under which no branch may start a program. */
    public ToolPolicy(List<Address> addresses, List<List<String>> commands) {
        this(addresses, commands, List.of());
    }

    /** A policy that says nothing of isolation. */
    public ToolPolicy(List<Address> addresses, List<List<String>> commands, List<AllowedAgent> agents) {
        this(addresses, commands, agents, null, CodeAllowance.NONE);
    }

    /**
     * @param agents null: a build that knows none wrote it
     * @param code null: a build that knows none wrote it
     */
    @JsonCreator
    public ToolPolicy(
            List<Address> addresses,
            List<List<String>> commands,
            @Nullable List<AllowedAgent> agents,
            @Nullable IsolationOffer isolation,
            @Nullable CodeAllowance code) {
        this.isolation = isolation;
        this.code = code == null ? CodeAllowance.NONE : code;
        this.addresses = List.copyOf(addresses);
        this.commands = commands.stream().map(List::copyOf).toList();
        this.agents = agents == null ? List.of() : List.copyOf(agents);
    }

    /** Whether an address on {@code host} limits its requests. */
    public boolean limitsRequestsTo(String host) {
        return addresses.stream()
                .filter(address -> address.requestsPerMinute() != null || address.requestsPerDay() != null)
                .anyMatch(address -> Address.host(URI.create(address.url())).equals(host));
    }

    /** The variables of the worker that tools and programs may use, by name. */
    public Set<String> variables() {
        return Stream.concat(
                        addresses.stream().flatMap(address -> address.variables().values().stream()),
                        agents.stream().flatMap(agent -> agent.env().stream()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The first place that covers {@code target}; empty: it must not be asked. */
    public Optional<Address> covering(URI target) {
        return addresses.stream().filter(address -> address.covers(target)).findFirst();
    }

    /** Requests of branches in flight that {@code host}, in lower case, allows; empty: no address of it is allowed. */
    public Optional<Integer> maxConcurrent(String host) {
        return addresses.stream()
                .filter(address -> Address.host(URI.create(address.url())).equals(host))
                .map(address -> address.maxConcurrent() == null ? Address.DEFAULT_CONCURRENT : address.maxConcurrent())
                .min(Comparator.naturalOrder());
    }

    /** Whether a branch may start {@code command}. */
    public boolean allows(AgentCommand command) {
        return agents.stream().anyMatch(agent -> agent.covers(command));
    }

    /** Whether own code may be the program {@code word}. */
    public boolean allowsProgram(String word) {
        return code.programs().contains(word)
                || agents.stream().anyMatch(agent -> agent.program().equals(word));
    }

    /** The union of both policies. Of what they say of isolation, a refusal is kept. */
    public ToolPolicy or(ToolPolicy other) {
        return new ToolPolicy(
                join(addresses, other.addresses),
                join(commands, other.commands),
                join(agents, other.agents),
                refuses(isolation) || other.isolation == null ? isolation : other.isolation,
                code.or(other.code));
    }

    private static boolean refuses(@Nullable IsolationOffer offer) {
        return offer != null && offer.refusal() != null;
    }

    private static <T> List<T> join(List<T> some, List<T> more) {
        return Stream.concat(some.stream(), more.stream()).distinct().toList();
    }
}
