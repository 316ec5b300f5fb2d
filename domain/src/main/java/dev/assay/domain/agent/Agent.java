package dev.assay.domain.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An agent, which answers for a branch or judges a trial. Users write its kind as {@code kind}; default: model. A new kind implements
 * it anywhere: {@code docs/decisions/0058-kinds.md} says what else it takes.
 */
public interface Agent {

    /** The provider on whose task queue and permits the calls run. */
    String provider();

    /** The name of the agent that answers, for people. */
    AgentName name();

    /** What its calls cost. */
    AgentCost cost();

    /** The agent's name in loop ids where the user gave none (docs/evaluations.md). */
    default String segment() {
        return name().provider() + "." + name().model();
    }

    /** The pool whose permits the calls take: of the provider, or of the host of a system under test. */
    default String pool() {
        return provider();
    }

    /** The provider as it is stored with results. */
    default String storedProvider() {
        return provider();
    }

    /** The name of what answers, as it is stored; null: it has none. */
    default @Nullable String storedName() {
        return name().model();
    }

    /** The model whose answers it gives, now or as they were recorded; empty: there is none, and nothing to replay. */
    default Optional<ModelChoice> model() {
        return modelAsked();
    }

    /** The model that it asks over a network. */
    default Optional<ModelChoice> modelAsked() {
        return cost() instanceof AgentCost.OfModel(ModelChoice choice) ? Optional.of(choice) : Optional.empty();
    }

    /** The program that it starts on the worker's machine. */
    default Optional<AgentCommand> program() {
        return Optional.empty();
    }

    /** The own code that is asked. */
    default Optional<AgentCode> ownCode() {
        return Optional.empty();
    }

    /** Whether the user wrote all its answers, which are given in turn, whatever is asked. */
    default boolean isWritten() {
        return false;
    }

    /** How long each of its answers takes, where that is written; empty: nobody knows before it is measured. */
    default Optional<Duration> writtenDelay() {
        return Optional.empty();
    }

    /** Whether its answers were on record before the campaign, so that nobody is asked. */
    default boolean isAnswered() {
        return false;
    }

    /** The answers that it gave in another campaign. */
    default Agent answered() {
        return new StoredAnswers(this);
    }

    /** The agent in the words of its author; of stored answers the one that gave them. */
    default Agent asWritten() {
        return this;
    }

    /** Whether its answers are searched in what comes back, in a compute process. */
    default boolean isSearched() {
        return false;
    }

    /** A model of a provider, asked over the network. */
    record Model(ModelChoice choice) implements Agent {
        @Override
        public String provider() {
            return choice.provider();
        }

        @Override
        public AgentName name() {
            return choice.name();
        }

        @Override
        public AgentCost cost() {
            return new AgentCost.OfModel(choice);
        }

        @Override
        public String segment() {
            return choice.segment();
        }
    }

    /**
     * Answers that were recorded earlier, looked up by what is asked. Makes no paid call.
     *
     * @param choice the model whose answers were recorded; part of the lookup
     */
    record Replay(ModelChoice choice, String cassetteId) implements Agent {
        @Override
        public String provider() {
            return PROVIDER_REPLAY;
        }

        @Override
        public AgentName name() {
            return choice.name();
        }

        @Override
        public AgentCost cost() {
            return new AgentCost.Nothing();
        }

        @Override
        public String segment() {
            return choice.segment();
        }

        @Override
        public Optional<ModelChoice> model() {
            return Optional.of(choice);
        }
    }

    /** Declared answers, delays and failures, for tests. Makes no paid call. */
    record Scripted(Script script) implements Agent {
        @Override
        public String provider() {
            return PROVIDER_SCRIPTED;
        }

        @Override
        public AgentName name() {
            return new AgentName(PROVIDER_SCRIPTED, PROVIDER_SCRIPTED);
        }

        @Override
        public AgentCost cost() {
            return new AgentCost.Nothing();
        }

        @Override
        public @Nullable String storedName() {
            return null;
        }

        @Override
        public Optional<Duration> writtenDelay() {
            return Optional.of(script.delay());
        }

        @Override
        public boolean isWritten() {
            return true;
        }
    }

    /** A program on the worker's machine, such as a coding agent. Each attempt counts as one paid call. */
    record Command(AgentCommand command) implements Agent {
        @Override
        public String provider() {
            return PROVIDER_COMMAND;
        }

        @Override
        public AgentName name() {
            return new AgentName(PROVIDER_COMMAND, command.name());
        }

        @Override
        public AgentCost cost() {
            return command.models() == null
                    ? new AgentCost.Stated(command.maxCostUsd())
                    : new AgentCost.OfModels(command.models(), command.maxCostUsd());
        }

        @Override
        public Optional<AgentCommand> program() {
            return Optional.of(command);
        }
    }

    /** A system under test behind an address. Each request is one paid call. */
    record Http(AgentHttp system) implements Agent {
        @Override
        public String provider() {
            return PROVIDER_HTTP;
        }

        @Override
        public AgentName name() {
            return new AgentName(PROVIDER_HTTP, system.host());
        }

        @Override
        public AgentCost cost() {
            return new AgentCost.Stated(system.maxCostUsd());
        }

        @Override
        public String pool() {
            return PROVIDER_HTTP + "/" + system.host();
        }

        @Override
        public boolean isSearched() {
            return system.answer().needsSearch();
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

    /**
     * The behaviour of a scripted agent.
     *
     * @param answers given in turn: trial n gets answer ((n − 1) mod size). None: what is asked is the answer
     * @param toolTurns for each answer the turns that come before it, in which tools are called; of the size of
     *     {@code answers}
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
