package dev.assay.domain.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A model, program, replay or script that answers for a branch or judges a trial. Users write it as {@code kind}; default: model. */
public sealed interface Agent {

    /** The provider on whose task queue and permits the calls run. */
    String provider();

    /** The name of the agent that answers, for people. */
    default AgentName name() {
        return switch (this) {
            case Model(ModelChoice choice) -> new AgentName(choice.provider(), choice.model());
            case Replay(ModelChoice choice, String ignored) -> new AgentName(choice.provider(), choice.model());
            case Scripted ignored -> new AgentName(PROVIDER_SCRIPTED, PROVIDER_SCRIPTED);
            case Command(AgentCommand command) -> new AgentName(PROVIDER_COMMAND, command.name());
            case Http(AgentHttp system, var ignored) -> new AgentName(PROVIDER_HTTP, system.host());
        };
    }

    /** The agent's name in loop ids where the user gave none (docs/evaluations.md). */
    default String segment() {
        return switch (this) {
            case Model(ModelChoice choice) -> choice.segment();
            case Replay(ModelChoice choice, String ignored) -> choice.segment();
            case Scripted ignored -> PROVIDER_SCRIPTED + "." + PROVIDER_SCRIPTED;
            case Command(AgentCommand command) -> PROVIDER_COMMAND + "." + command.name();
            case Http(AgentHttp system, var ignored) -> PROVIDER_HTTP + "." + system.host();
        };
    }

    /** The pool whose permits the calls take: of the provider, or of the host of a system under test. */
    default String pool() {
        return provider();
    }

    /** A model of a provider, asked over the network. */
    record Model(ModelChoice choice) implements Agent {
        @Override
        public String provider() {
            return choice.provider();
        }
    }

    /**
     * Answers that were recorded earlier, looked up by what is asked. Makes no paid call.
     *
     * @param choice the model whose answers were recorded; part of the lookup
     * @param cassetteId content hash of the cassette
     */
    record Replay(ModelChoice choice, String cassetteId) implements Agent {
        @Override
        public String provider() {
            return PROVIDER_REPLAY;
        }
    }

    /** Declared answers, delays and failures, for tests. Makes no paid call. */
    record Scripted(Script script) implements Agent {
        @Override
        public String provider() {
            return PROVIDER_SCRIPTED;
        }
    }

    /** A program on the worker's machine, such as a coding agent. Each attempt counts as one paid call. */
    record Command(AgentCommand command) implements Agent {
        @Override
        public String provider() {
            return PROVIDER_COMMAND;
        }
    }

    /**
     * A system under test behind an address. Each request is one paid call.
     *
     * @param vars of the case that it is asked for; empty in a definition
     */
    record Http(AgentHttp system, Map<String, JsonNode> vars) implements Agent {

        public Http {
            vars = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(vars));
        }

        @Override
        public String provider() {
            return PROVIDER_HTTP;
        }

        @Override
        public String pool() {
            return PROVIDER_HTTP + "/" + system.host();
        }
    }

    /** The built-in provider name of systems under test. */
    String PROVIDER_HTTP = "http";

    /** The built-in provider name of programs. */
    String PROVIDER_COMMAND = "command";

    /** The built-in provider name of replays. */
    String PROVIDER_REPLAY = "replay";

    /** The built-in provider name of scripted agents. */
    String PROVIDER_SCRIPTED = "scripted";

    /** The providers that are parts of Assay: they are always there, need no key and take no permits of their own. */
    List<String> BUILT_IN_PROVIDERS = List.of(PROVIDER_REPLAY, PROVIDER_SCRIPTED, PROVIDER_COMMAND, PROVIDER_HTTP);

    /**
     * The behaviour of a scripted agent.
     *
     * @param answers given in turn: trial n gets answer ((n − 1) mod size). None: what is asked is the answer
     * @param toolTurns for each answer the turns that come before it, in which tools are called; of the size of
     *     {@code answers}
     * @param delay before each answer
     * @param failures what goes wrong first, attempt by attempt: attempt n of a cell meets failure n, the ones after succeed
     * @param usage tokens that each answer reports; null: estimated from the texts
     */
    record Script(
            List<String> answers,
            List<List<ToolTurn>> toolTurns,
            Duration delay,
            List<ScriptedFailure> failures,
            dev.assay.domain.usage.@Nullable Usage usage) {

        public Script {
            answers = List.copyOf(answers);
            toolTurns = toolTurns.stream().map(List::copyOf).toList();
            failures = List.copyOf(failures);
            if (toolTurns.size() != answers.size()) {
                throw new IllegalArgumentException("Each answer has its turns before it, be it none");
            }
        }

        /** Whether the answer is the question. */
        public boolean echoes() {
            return answers.isEmpty();
        }

        /** A script that calls no tools. */
        public Script(
                List<String> answers,
                Duration delay,
                List<ScriptedFailure> failures,
                dev.assay.domain.usage.@Nullable Usage usage) {
            this(answers, Collections.nCopies(answers.size(), List.of()), delay, failures, usage);
        }
    }

    /**
     * A turn in which a scripted agent calls tools.
     *
     * @param text what it says; empty: nothing
     * @param calls at least one
     */
    record ToolTurn(String text, List<ScriptedCall> calls) {

        public ToolTurn {
            calls = List.copyOf(calls);
        }
    }

    /**
     * One call of a scripted agent.
     *
     * @param arguments a JSON object
     */
    record ScriptedCall(String name, JsonNode arguments) {}

    /**
     * One failure of a scripted agent.
     *
     * @param httpStatus what a provider would have answered, 400–599
     * @param retryAfter what its Retry-After header would have said; null: none
     */
    record ScriptedFailure(int httpStatus, @Nullable Duration retryAfter) {}
}
