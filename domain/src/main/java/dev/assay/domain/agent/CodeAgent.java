package dev.assay.domain.agent;

import dev.assay.domain.check.code.CodeLanguage;
import java.util.Optional;

/** Own code that answers for a branch, or judges. Each request is one paid call. */
public sealed interface CodeAgent extends Agent {

    /** The code. */
    AgentCode code();

    /** The language is its provider: workers that offer the language answer. */
    @Override
    default String provider() {
        return code().script().language().word();
    }

    @Override
    default AgentName name() {
        return new AgentName(provider(), code().name());
    }

    @Override
    default AgentCost cost() {
        return new AgentCost.Stated(code().maxCostUsd());
    }

    @Override
    default String segment() {
        return provider() + "." + ModelChoice.slug(code().name());
    }

    @Override
    default Optional<AgentCode> ownCode() {
        return Optional.of(code());
    }

    /** Code in Python. */
    record Python(AgentCode code) implements CodeAgent {
        public Python {
            require(code, CodeLanguage.PYTHON);
        }
    }

    /** Code in JavaScript. */
    record JavaScript(AgentCode code) implements CodeAgent {
        public JavaScript {
            require(code, CodeLanguage.JAVASCRIPT);
        }
    }

    private static void require(AgentCode code, CodeLanguage language) {
        if (code.script().language() != language || code.script().file() == null) {
            throw new IllegalArgumentException("The code must stand in a file of " + language.word());
        }
    }
}
