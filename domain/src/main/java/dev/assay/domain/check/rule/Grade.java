package dev.assay.domain.check.rule;

import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The usage and cost of having a check decided by a model. They count with those of judges, not with the branch's.
 *
 * @param call number of the first request of the grade among the calls of its trial
 * @param usage tokens of all its requests
 * @param costUsd cost of all its requests in US dollars; null where no price is known
 */
public record Grade(int call, Usage usage, @Nullable BigDecimal costUsd) {}
