package dev.assay.domain.check.rule;

import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What it took to have a check decided by a model. It counts with what judges take, not with what the branch took.
 *
 * @param call number of the first request of the grade among the calls of its trial
 * @param usage tokens of all its requests
 * @param costUsd cost of all its requests in US dollars; null where no price is known
 */
public record Grade(int call, Usage usage, @Nullable BigDecimal costUsd) {}
