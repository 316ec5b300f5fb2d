/** The agents that answer for branches: models, programs, replays and scripts, with their limits. */
@NullMarked
package dev.assay.domain.agent;

import org.jspecify.annotations.NullMarked;
