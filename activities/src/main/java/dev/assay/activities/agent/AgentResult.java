package dev.assay.activities.agent;

import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.error.Failure;
import dev.assay.domain.outcome.OutcomeStatus;
import org.jspecify.annotations.Nullable;

/**
 * The result of an agent loop.
 *
 * @param status COMPLETED, or LIMIT
 * @param failure which limit ended the loop, with code BRANCH_LIMIT; null when it completed
 */
public record AgentResult(OutcomeStatus status, @Nullable Failure failure, LoopSoFar said) {}
