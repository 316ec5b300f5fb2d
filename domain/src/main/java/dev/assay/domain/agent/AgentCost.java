package dev.assay.domain.agent;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The cost of an agent's calls, and where it stands. */
public sealed interface AgentCost {

    /** Nothing is paid. */
    record Nothing() implements AgentCost {}

    /** The price of the model's tokens at its provider. The model is asked over a network. */
    record OfModel(ModelChoice choice) implements AgentCost {}

    /**
     * The prices of the models that an attempt asks.
     *
     * @param mostUsd what an attempt costs at most in US dollars; null: not stated
     */
    record OfModels(ModelAccess models, @Nullable BigDecimal mostUsd) implements AgentCost {}

    /**
     * A bound that the user states, since there is no price.
     *
     * @param mostUsd what an attempt costs at most in US dollars; null: unknown
     */
    record Stated(@Nullable BigDecimal mostUsd) implements AgentCost {}
}
